package corfu.runtime;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The push subscriptions of one client. They end when the client is closed. Thread-safe. */
final class PushRegistry {

  private final ClientContext context;
  private final Set<StreamPushes> open = ConcurrentHashMap.newKeySet();

  PushRegistry(ClientContext context) {
    this.context = context;
  }

  /** Opens one that follows no stream yet. */
  Pushes open(Pushes.Receiver receiver) {
    StreamPushes pushes = new StreamPushes(context, receiver, open::remove);
    open.add(pushes);
    return pushes;
  }

  void close() {
    List.copyOf(open).forEach(StreamPushes::close);
  }
}
