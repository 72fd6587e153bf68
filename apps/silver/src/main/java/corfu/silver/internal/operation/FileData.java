package corfu.silver.internal.operation;

import corfu.bytes.BytesStore;
import corfu.bytes.BytesView;
import corfu.bytes.VersionedBytes;
import corfu.protocol.Address;
import corfu.silver.NodeId;

/** The data streams of large files. Thread-safe. */
public final class FileData {

  private final BytesStore store;

  /** Returns the data streams of a client. */
  public FileData(BytesStore store) {
    this.store = store;
  }

  VersionedBytes open(NodeId node) {
    return store.open(node.data());
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
