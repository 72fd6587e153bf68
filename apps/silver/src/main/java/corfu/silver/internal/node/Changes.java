package corfu.silver.internal.node;

import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.runtime.StreamAppend;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.Inode;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes changes. A change is first tried on the states that this client knows, which costs no
 * question. The sequencer refuses it if something that it relies on has changed; then it is tried
 * on the newest states. Thread-safe.
 */
public final class Changes {

  /** Other clients may win so often. Then the caller has to try again. */
  private static final int MAX_ATTEMPTS = 1_000;

  private final Nodes nodes;
  private final Trust trust;

  /**
   * Returns the changes of these nodes.
   *
   * @param trust whether memory may answer, and who is told what it may lack
   */
  public Changes(Nodes nodes, Trust trust) {
    this.nodes = nodes;
    this.trust = trust;
  }

  /**
   * Makes one change.
   *
   * @param operation decides by a view; it may be called again with a newer one
   */
  public <T> Result<T> make(Function<View, Attempt<T>> operation) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      View view = attempt == 0 ? View.known(nodes, trust) : View.newest(nodes);
      switch (operation.apply(view)) {
        case Attempt.Refused<T>(Errno errno) when view.isNew() -> {
          return Result.failed(errno);
        }
        case Attempt.Unchanged<T>(T value) when view.isNew() -> {
          return Result.of(value);
        }
        case Attempt.Append<T> append -> {
          if (append(view, append) instanceof StreamAppend.Appended) {
            return Result.of(append.value());
          }
        }
        case Attempt.Refused<T> old -> {}
        case Attempt.Unchanged<T> old -> {}
      }
    }
    return Result.failed(Errno.EAGAIN);
  }

  /** Returns the state of a node as this client last saw it. */
  public Optional<Inode> known(NodeId node) {
    return nodes.known(node).flatMap(Played::inode);
  }

  /** Remembers an entry of this client that was appended by other means. */
  public void appended(long address) {
    nodes.own().add(address);
  }

  /** Plays a node to its end. */
  public void see(NodeId node) {
    var unused = nodes.newest(node);
  }

  private StreamAppend append(View view, Attempt.Append<?> append) {
    return nodes.append(
        append.writes(),
        append.payload(),
        append.made(),
        trust,
        () ->
            nodes
                .streams()
                .appendChange(
                    append.writes(),
                    view.condition(append.reads()),
                    view.asOf(),
                    append.payload(),
                    outcome -> {}));
  }
}
