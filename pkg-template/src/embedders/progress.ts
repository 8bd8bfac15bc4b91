/** How far a download is. */

/** How far the download of one file of a model is. */
export interface DownloadProgress {
  /** The file, such as `onnx/model_quantized.onnx`. */
  readonly file: string;
  /** How many bytes of it are here. */
  readonly loadedBytes: number;
  /** How many it has; 0 while that is unknown. */
  readonly totalBytes: number;
}
