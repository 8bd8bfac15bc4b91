/** Whose memory a component and those below it show. */
import {
  computed,
  getCurrentInstance,
  inject,
  onMounted,
  onUnmounted,
  provide,
  toValue,
  type ComputedRef,
  type InjectionKey,
  type MaybeRefOrGetter,
} from "vue";
import { InvalidInputError } from "../errors.js";
import { openingOf, type GivenMemory } from "../live/opening.js";
import { LiveUser, userKey } from "../live/user.js";
import type { ScopePairs } from "../types.js";

const KEY: InjectionKey<ComputedRef<LiveUser>> = Symbol("mnemic");

/** What components provide, for themselves: Vue gives it only to those below. */
const own = new WeakMap<object, ComputedRef<LiveUser>>();

/**
 * Gives this component and those below it the memory of a user.
 *
 * @param memory A function that opens the memory, called in the browser when the component is mounted; the memory is closed when the
 *   last component that provides the same function is gone. Or a memory that is open, which is yours to close.
 * @param user Whose memory is shown, as for `memory.scope`. With another user nothing of the former is shown. Null: nobody is logged
 *   in, and nothing is asked.
 *
 * @example
 * ```ts no-run
 * import { defineComponent } from "vue";
 * import { openMemory } from "mnemic";
 * import { provideMemory, useFacts } from "mnemic/vue";
 *
 * const open = () => openMemory({ name: "my-chat" });
 * export const App = defineComponent({
 *   setup() {
 *     provideMemory(open, { userId: "ana" });
 *     const { data } = useFacts({ limit: 20 });
 *     return () => data.value?.map(({ text }) => text).join();
 *   },
 * });
 * ```
 */
export function provideMemory(memory: GivenMemory, user: MaybeRefOrGetter<ScopePairs | null>): void {
  const opening = openingOf(memory);
  const live = computed<LiveUser>((before) => {
    const pairs = toValue(user);
    return before?.key === userKey(pairs) ? before : new LiveUser(opening, pairs);
  });
  provide(KEY, live);
  const component = getCurrentInstance();
  if (component !== null) own.set(component, live);
  let leave: (() => void) | undefined;
  onMounted(() => void (leave = opening.take()));
  onUnmounted(() => leave?.());
}

/** The user of this component. @throws InvalidInputError when none is provided. */
export function useLiveUser(composable: string): ComputedRef<LiveUser> {
  const component = getCurrentInstance();
  const live = (component && own.get(component)) ?? inject(KEY, undefined);
  if (live === undefined) throw new InvalidInputError(`${composable}: no component above provides a memory; call provideMemory() in the app's`);
  return live;
}
