/** VitePress's own theme, without fonts to load, and what runs snippets. */
import Theme from "vitepress/theme-without-fonts";
import RunnableSnippet from "./RunnableSnippet.vue";
import "./style.css";

export default {
  extends: Theme,
  enhanceApp: ({ app }) => app.component("RunnableSnippet", RunnableSnippet),
};
