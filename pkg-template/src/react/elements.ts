/** The package's own elements in JSX. */
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { MnemicDevtools } from "../devtools/devtools.js";
import type { MnemicPanel } from "../panel/panel.js";

type OfElement<Element, Name extends keyof Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element> & {
  readonly [Property in Name]?: Element[Property] | undefined;
};

/** What `<mnemic-panel>` takes in React 19. React 18 knows only attributes: there, set the properties by a ref. */
export type PanelProps = OfElement<MnemicPanel, "locking" | "messageFilter" | "profiles" | "section" | "showSource" | "threadId" | "user"> & {
  readonly sections?: string | undefined;
  readonly model?: boolean | undefined;
};

/** What `<mnemic-devtools>` takes in React 19. */
export type DevtoolsProps = OfElement<MnemicDevtools, "memory" | "prices">;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "mnemic-devtools": DevtoolsProps;
      "mnemic-panel": PanelProps;
    }
  }
}
