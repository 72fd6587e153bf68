package corfu.bytes.internal.writer;

import corfu.bytes.internal.state.BytesState;

/** Follows the states of a writer's array. It is called in order, and must not block. */
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
