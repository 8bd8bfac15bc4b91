/** How far an embedder is, and who is told. */
import { reportError } from "../events.js";

/** How far the download of one file of a model is. */
export interface DownloadProgress {
  readonly phase: "download";
  /** The file, such as `onnx/model_quantized.onnx`. */
  readonly file: string;
  /** How many bytes of it are here. */
  readonly loadedBytes: number;
  /** How many it has; 0 while that is unknown. */
  readonly totalBytes: number;
}

/** How far one call of `embed` is, after a batch. */
export interface EmbedProgress {
  readonly phase: "embed";
  /** How many of `total` have their vector. */
  readonly done: number;
  /** How many different texts the call has that were not in the cache. */
  readonly total: number;
}

/** How far an embedder is: with the download of its model, or with texts. */
export type EmbedderProgress = DownloadProgress | EmbedProgress;

/** Tells an app how far an embedder is. What its function throws does not reach the embedder, but the global error handler. */
export function tell(onProgress: ((progress: EmbedderProgress) => void) | undefined, progress: EmbedderProgress): void {
  try {
    onProgress?.(progress);
  } catch (error) {
    reportError(error);
  }
}
