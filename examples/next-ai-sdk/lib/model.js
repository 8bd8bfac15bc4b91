/** The model that answers. */
import { openai } from "@ai-sdk/openai";
import { standIn } from "./stand-in.js";

export const chatModel = process.env.OPENAI_API_KEY ? openai(process.env.OPENAI_MODEL ?? "gpt-5-mini") : standIn;
