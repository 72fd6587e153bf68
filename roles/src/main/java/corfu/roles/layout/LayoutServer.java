package corfu.roles.layout;

import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Reply;
import corfu.roles.Role;
import corfu.world.Disk;
import corfu.world.Offload;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Decides, together with the other layout servers, which layout each epoch has, and knows the
 * newest one. What it has promised, accepted or learned is durable before anybody hears of it.
 *
 * <p>Requests are served one after the other: those that come while the disk works wait, up to
 * {@value #MAX_WAITING} of them. Not thread-safe: a role lives on one thread.
 */
public final class LayoutServer implements Role<LayoutRequest> {

  /** Decisions are rare and proposers few; more than this is somebody's mistake. */
  private static final int MAX_WAITING = 1024;

  private final Consumer<LayoutState> save;
  private final Offload offload;
  private final Queue<Waiting> waiting = new ArrayDeque<>();

  private LayoutState state;
  private boolean writing;
  private boolean closed;

  private LayoutServer(LayoutState state, Consumer<LayoutState> save, Offload offload) {
    this.state = state;
    this.save = save;
    this.offload = offload;
  }

  /**
   * A layout server that continues what it finds on the disk, or starts blank.
   *
   * @param disk its own directory; stays the caller's to close, after this server
   * @param offload where it writes; calls back on the role's thread
   * @throws DamagedLayoutFileException if the file there is not as it was written
   * @throws corfu.world.DiskException if the disk can't be read
   */
  public static LayoutServer open(Disk disk, Offload offload) {
    LayoutFile file = new LayoutFile(disk);
    return new LayoutServer(file.load(), file::save, offload);
  }

  /** A blank layout server that forgets everything at its end: for tests and trials. */
  public static LayoutServer inMemory() {
    return new LayoutServer(LayoutState.BLANK, state -> {}, Offload.inline());
  }

  /** The newest layout that it knows to be decided. */
  public Optional<Layout> newestLayout() {
    return state.newest();
  }

  /**
   * Takes a request. A fetch is answered at once, from what is durable; everything else in turn.
   */
  @Override
  public void handle(LayoutRequest request, Consumer<Reply> reply) {
    if (closed) {
      reply.accept(isClosed());
    } else if (request instanceof LayoutRequest.Fetch) {
      reply.accept(state.current());
    } else if (waiting.size() >= MAX_WAITING) {
      reply.accept(
          new Failure.Overloaded(
              MAX_WAITING + " requests wait for the layout server's disk; ask again later"));
    } else {
      waiting.add(new Waiting(request, reply));
      serveWaiting();
    }
  }

  /** Ends the role: what waits is refused, what is being written will be. */
  public void close() {
    closed = true;
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      next.reply().accept(isClosed());
    }
  }

  private void serveWaiting() {
    while (!writing) {
      Waiting next = waiting.poll();
      if (next == null) {
        return;
      }
      serve(next);
    }
  }

  private void serve(Waiting next) {
    LayoutState.Step step = state.after(next.request());
    if (step.state().equals(state)) {
      next.reply().accept(step.reply());
      return;
    }
    writing = true;
    offload.run(
        () -> save.accept(step.state()),
        failure -> {
          writing = false;
          if (failure.isEmpty()) {
            state = step.state();
          }
          next.reply().accept(failure.<Reply>map(LayoutServer::broken).orElse(step.reply()));
          serveWaiting();
        });
  }

  /** The state stays as it was, so the next request tries to write again. */
  private static Reply broken(Throwable failure) {
    return new Failure.Broken("the layout server could not keep its promise: " + failure);
  }

  private static Reply isClosed() {
    return new Failure.NotServing("this layout server is shutting down");
  }

  private record Waiting(LayoutRequest request, Consumer<Reply> reply) {}
}
