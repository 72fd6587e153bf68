package corfu.silver;

import corfu.protocol.Address;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Subscriber;
import corfu.runtime.stream.Subscription;
import corfu.silver.internal.node.OwnEntries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A watch of the changes of one node. The log units push them. Thread-safe. */
public final class NodeWatch implements AutoCloseable {

  private final OwnEntries own;
  private final List<Subscription> subscriptions = new ArrayList<>();

  /**
   * Begins with the changes after this call.
   *
   * @param streams the streams of the node
   */
  NodeWatch(List<LogStream> streams, OwnEntries own, Consumer<Address> receiver) {
    this.own = own;
    for (LogStream stream : streams) {
      subscriptions.add(stream.subscribe(stream.tail(), new Receiver(receiver)));
    }
  }

  private record Receiver(Consumer<Address> receiver) implements Subscriber {

    @Override
    public void onEntry(StreamRead.Entry entry) {
      receiver.accept(entry.address());
    }
  }

  /** Returns whether this client has made a change, as far as it remembers. */
  public boolean isOwn(Address change) {
    return own.has(change.value());
  }

  /** Ends the watch. A change that is being passed on is not affected. */
  @Override
  public void close() {
    subscriptions.forEach(Subscription::close);
  }
}
