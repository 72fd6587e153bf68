package corfu.runtime.internal.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.message.NodeRequest.Introduce;
import corfu.protocol.message.Reply;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The names of streams that this client has opened by name. A server cannot find a name by its id,
 * but permissions by prefix depend on names. So the client introduces them to a server that has
 * refused a request (docs/design.md, section 9). Without a refusal, nothing is sent. Thread-safe.
 */
public final class KnownNames {

  /** The largest number of names, which is also the most that a server remembers. */
  public static final int MOST_NAMES = 4_096;

  private final ReentrantLock lock = new ReentrantLock();

  /** The names by their streams; the ones used last are at the end. */
  private final Map<StreamId, String> names = new LinkedHashMap<>();

  KnownNames() {}

  /**
   * Remembers a name. The oldest one gives way. A name that is too long for permissions is ignored.
   *
   * @return the id of the stream
   */
  public StreamId remember(String name) {
    StreamId stream = StreamId.named(name);
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > Introduce.MOST_NAME_BYTES) {
      return stream;
    }
    lock.lock();
    try {
      names.remove(stream);
      names.put(stream, name);
      if (names.size() > MOST_NAMES) {
        names.remove(names.keySet().iterator().next());
      }
    } finally {
      lock.unlock();
    }
    return stream;
  }

  /**
   * Returns whether an introduction may help against a refusal: it is for a stream whose name is
   * known, or it names no stream, and there are names.
   */
  boolean mayCure(Optional<StreamId> stream) {
    lock.lock();
    try {
      return stream.map(names::containsKey).orElse(!names.isEmpty());
    } finally {
      lock.unlock();
    }
  }

  /** Tells a server all names. Returns whether it has taken them. */
  boolean introduceTo(Endpoint server, Servers servers, Deadline deadline) {
    List<String> all = all();
    try {
      for (int from = 0; from < all.size(); from += Introduce.MOST_NAMES) {
        List<String> some = all.subList(from, Math.min(all.size(), from + Introduce.MOST_NAMES));
        servers.ask(server, new Introduce(some), Reply.Done.class, deadline);
      }
      return true;
    } catch (RetryableException refused) {
      return false; // the refusal before this one says more
    }
  }

  private List<String> all() {
    lock.lock();
    try {
      return new ArrayList<>(names.values());
    } finally {
      lock.unlock();
    }
  }
}
