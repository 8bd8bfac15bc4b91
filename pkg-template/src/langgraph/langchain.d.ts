/**
 * What is used of `@langchain/langgraph-checkpoint` and `@langchain/core`, for compiling the package without them: `tsconfig.json` leads
 * here. Applications have the types of the packages themselves, and the tests hold the classes against those.
 */

export interface RunnableConfig {
  configurable?: Record<string, any>;
}

export interface SerializerProtocol {
  dumpsTyped(data: any): Promise<[string, Uint8Array]>;
  loadsTyped(type: string, data: Uint8Array | string): Promise<any>;
}

export type ChannelVersions = Record<string, number | string>;
export type PendingWrite = [channel: string, value: unknown];
export type CheckpointPendingWrite = [taskId: string, channel: string, value: unknown];

export interface Checkpoint {
  v: number;
  id: string;
  ts: string;
  channel_values: Record<string, unknown>;
  channel_versions: ChannelVersions;
  versions_seen: Record<string, ChannelVersions>;
}

export interface CheckpointMetadata {
  source: "input" | "loop" | "update" | "fork";
  step: number;
  parents: Record<string, string>;
}

export interface CheckpointTuple {
  config: RunnableConfig;
  checkpoint: Checkpoint;
  metadata?: CheckpointMetadata;
  parentConfig?: RunnableConfig;
  pendingWrites?: CheckpointPendingWrite[];
}

export interface CheckpointListOptions {
  limit?: number;
  before?: RunnableConfig;
  filter?: Record<string, any>;
}

export abstract class BaseCheckpointSaver {
  serde: SerializerProtocol;
  constructor(serde?: SerializerProtocol);
  abstract getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
  abstract list(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple>;
  abstract put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, newVersions: ChannelVersions): Promise<RunnableConfig>;
  abstract putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath?: string): Promise<void>;
  abstract deleteThread(threadId: string): Promise<void>;
  getNextVersion(current: number | undefined): number;
}

export const TASKS: "__pregel_tasks";
export const WRITES_IDX_MAP: Record<string, number>;
export function maxChannelVersion(...versions: Array<number | string>): number | string;

export interface Item {
  value: Record<string, any>;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface SearchItem extends Item {
  score?: number;
}

export interface GetOperation {
  namespace: string[];
  key: string;
}

export interface SearchOperation {
  namespacePrefix: string[];
  filter?: Record<string, any>;
  limit?: number;
  offset?: number;
  query?: string;
}

export interface PutOperation {
  namespace: string[];
  key: string;
  value: Record<string, any> | null;
  index?: false | string[];
}

export interface MatchCondition {
  matchType: "prefix" | "suffix";
  path: string[];
}

export interface ListNamespacesOperation {
  matchConditions?: MatchCondition[];
  maxDepth?: number;
  limit: number;
  offset: number;
}

export type Operation = GetOperation | SearchOperation | PutOperation | ListNamespacesOperation;
export type OperationResults<Tuple extends readonly Operation[]> = {
  [K in keyof Tuple]: Tuple[K] extends PutOperation
    ? void
    : Tuple[K] extends SearchOperation
      ? SearchItem[]
      : Tuple[K] extends GetOperation
        ? Item | null
        : Tuple[K] extends ListNamespacesOperation
          ? string[][]
          : never;
};

export class InvalidNamespaceError extends Error {}

export abstract class BaseStore {
  abstract batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  put(namespace: string[], key: string, value: Record<string, any>, index?: false | string[]): Promise<void>;
}

export interface EmbeddingsInterface {
  embedQuery(document: string): Promise<number[]>;
  embedDocuments(documents: string[]): Promise<number[][]>;
}

export interface DocumentInterface<Metadata> {
  pageContent: string;
  metadata: Metadata;
  id?: string;
}

export abstract class BaseRetriever<Metadata> {
  abstract lc_namespace: string[];
  invoke(input: string): Promise<Array<DocumentInterface<Metadata>>>;
  _getRelevantDocuments(query: string): Promise<Array<DocumentInterface<Metadata>>>;
}
