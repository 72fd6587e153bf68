package corfu.runtime;

import corfu.protocol.AppendId;
import corfu.protocol.layout.Layout;
import corfu.world.World;
import java.util.function.Supplier;

/**
 * The parts of a client that its operations share. It decides nothing.
 *
 * @param ids a new append id of this client each time
 */
record ClientContext(
    World world,
    CorfuOptions options,
    Servers servers,
    Layouts layouts,
    Attempts attempts,
    Supplier<AppendId> ids) {

  /** Returns the newest layout that this client knows. */
  Layout layout() {
    return layouts.current();
  }

  /** Returns the deadline of the call that the thread is in, or that of a call that begins now. */
  Deadline deadline() {
    return attempts.deadline();
  }
}
