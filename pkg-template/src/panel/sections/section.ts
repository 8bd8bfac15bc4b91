/** What stands on a tab of its own, or behind a menu. */

export interface Section {
  readonly element: HTMLElement;
  /** Shows what there is now. Answers how much that is, or how it stands in a few words. */
  update(): Promise<Standing>;
  /** Called each time it comes into view. */
  shown?(): void;
  /** Brings an item into view; answers whether it is there. */
  reveal?(id: string): Promise<HTMLElement | undefined>;
}

export interface Standing {
  /** How many there are. */
  readonly count?: number;
  /** Whether there are more than were counted. */
  readonly hasMore?: boolean;
  /** How it stands, in a few words. */
  readonly about?: string;
}
