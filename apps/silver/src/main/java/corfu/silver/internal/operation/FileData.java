package corfu.silver.internal.operation;

import corfu.bytes.BytesOrigin;
import corfu.bytes.BytesStore;
import corfu.bytes.BytesView;
import corfu.bytes.VersionedBytes;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.silver.NodeId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The data streams of large files. The least recently used ones are given up; they are played again
 * from their streams. Thread-safe.
 */
public final class FileData {

  private final BytesStore store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<StreamId, VersionedBytes> open;
  private final LongAdder found = new LongAdder();
  private final LongAdder opened = new LongAdder();

  /**
   * Returns the data streams of a client.
   *
   * @param capacity the number of files whose maps of extents are kept, 1 or more
   */
  public FileData(BytesStore store, int capacity) {
    this.store = store;
    this.open =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<StreamId, VersionedBytes> eldest) {
            if (size() <= capacity) {
              return false;
            }
            store.close(eldest.getValue());
            return true;
          }
        };
  }

  /** Returns the array of a file's data. */
  public VersionedBytes array(NodeId node) {
    return open(node);
  }

  VersionedBytes open(NodeId node) {
    lock.lock();
    try {
      VersionedBytes known = open.get(node.data());
      (known == null ? opened : found).increment();
      return known == null
          ? open.computeIfAbsent(node.data(), data -> store.open(data, origin(node)))
          : known;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of uses of files whose maps of extents were in memory. */
  public long found() {
    return found.sum();
  }

  /** Returns the number of uses of files whose maps of extents were not in memory. */
  public long opened() {
    return opened.sum();
  }

  /** Returns the number of entries that this client has appended to data streams only. */
  public long entriesAppended() {
    return store.entriesAppended();
  }

  /** A file that is seen through a clone begins with the data of its source. */
  private static Optional<BytesOrigin> origin(NodeId node) {
    Optional<BytesOrigin> origin = Optional.empty();
    List<NodeId> chain = node.chain();
    for (int i = 0; i < node.hops().size(); i++) {
      Address version = new Address(node.hops().get(i).version());
      origin = Optional.of(new BytesOrigin(chain.get(i).data(), origin, version));
    }
    return origin;
  }

  /** Returns the newest data of a file. */
  public BytesView newest(NodeId node) {
    return open(node).newest();
  }

  /** Returns the data of a file at a version. */
  public BytesView at(NodeId node, long version) {
    return open(node).at(new Address(version));
  }
}
