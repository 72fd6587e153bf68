package corfu.runtime.internal.session;

import corfu.protocol.AppendId;
import corfu.protocol.layout.Layout;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Deadline;
import corfu.runtime.internal.layout.Layouts;
import corfu.runtime.internal.rpc.Servers;
import corfu.world.World;
import java.util.function.Supplier;

/**
 * The parts of a client that its operations share. It decides nothing.
 *
 * @param ids a supplier of a new append id of this client each time
 */
public record ClientContext(
    World world,
    CorfuOptions options,
    Servers servers,
    Layouts layouts,
    RetryLoop retryLoop,
    Supplier<AppendId> ids) {

  /** Returns the newest layout that this client knows. */
  public Layout layout() {
    return layouts.current();
  }

  /**
   * Returns the deadline of the thread's call, or of a call that begins now if the thread is in
   * none.
   */
  public Deadline deadline() {
    return retryLoop.deadline();
  }
}
