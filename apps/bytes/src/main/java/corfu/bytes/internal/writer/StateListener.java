package corfu.bytes.internal.writer;

import corfu.bytes.internal.state.BytesState;

/**
 * Follows the states of a writer's array. It is called in order, on the thread that applies
 * entries. It may load pages of maps. If it fails as maps do, it is told that it has missed
 * entries.
 */
public interface StateListener {

  /**
   * The array has another state.
   *
   * @param before the state before the entry
   * @param entry the next entry of the array's stream
   * @param after the state behind it
   * @param payloadBytes the length of the entry's payload in bytes
   */
  void onApplied(BytesState before, BytesState.Entry entry, BytesState after, int payloadBytes);

  /** The array has another state, and the entries that led to it are gone. */
  void onSkipped();
}
