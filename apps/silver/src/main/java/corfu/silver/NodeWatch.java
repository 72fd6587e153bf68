package corfu.silver;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Subscriber;
import corfu.runtime.stream.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** A watch of the changes of one node. The log units push them. Thread-safe. */
public final class NodeWatch implements AutoCloseable {

  private final LongPredicate own;
  private final List<Subscription> subscriptions = new ArrayList<>();

  /**
   * Begins with the changes after this call.
   *
   * @param streams the streams of the node
   * @param own whether this client has appended the entry at a log address
   */
  NodeWatch(List<LogStream> streams, LongPredicate own, Consumer<Address> receiver) {
    this.own = own;
    List<StreamAddress> tails = streams.stream().map(LogStream::tail).toList();
    for (int i = 0; i < tails.size(); i++) {
      subscriptions.add(streams.get(i).subscribe(tails.get(i), new Receiver(receiver)));
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
    return own.test(change.value());
  }

  /** Ends the watch. A change that is being passed on is not affected. */
  @Override
  public void close() {
    subscriptions.forEach(Subscription::close);
  }
}
