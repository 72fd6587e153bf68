package corfu.runtime.internal.push;

import corfu.runtime.StreamAccess.Pushes;
import corfu.runtime.internal.session.ClientContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The push subscriptions of one client. They end when the client is closed. Thread-safe. */
public final class PushRegistry {

  private final ClientContext context;
  private final Set<StreamPushes> open = ConcurrentHashMap.newKeySet();

  public PushRegistry(ClientContext context) {
    this.context = context;
  }

  /** Opens pushes that follow no stream yet. */
  public Pushes open(Pushes.Receiver receiver) {
    StreamPushes pushes = new StreamPushes(context, receiver, open::remove);
    open.add(pushes);
    return pushes;
  }

  public void close() {
    List.copyOf(open).forEach(StreamPushes::close);
  }
}
