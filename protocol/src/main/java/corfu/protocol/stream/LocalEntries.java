package corfu.protocol.stream;

import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import java.util.List;

/**
 * The streams of the entries that a server holds. Permissions for requests that name addresses
 * depend on them, and so do quotas. Lives on the server's thread.
 */
public interface LocalEntries {

  /** A server that holds no entries. */
  LocalEntries NONE = address -> Local.Absent.UNWRITTEN;

  /** Returns the content of an address, as far as permissions depend on it. */
  Local at(long address);

  /**
   * Returns whether the server is one of the entry's replicas in an epoch. A server to which older
   * entries are still being copied is none: an entry there would take the place of a copy. True in
   * an epoch that the server does not serve, because it refuses all writes of that epoch anyway.
   */
  default boolean isPlaceOf(Entry entry, Epoch epoch) {
    return true;
  }

  /**
   * Returns whether the server may accept writes of an epoch. If not, it refuses them all, whatever
   * they hold.
   */
  default boolean isServing(Epoch epoch) {
    return true;
  }

  /** Returns whether the server is the head of the chain of an address by its newest layout. */
  default boolean isHeadOf(long address) {
    return true;
  }

  /** Returns the number of chains to which appends go, 1 or more. */
  default int chains() {
    return 1;
  }

  /**
   * Records the owner of a stream, until the server restarts or somebody else owns the stream. Does
   * nothing if the server knows no such stream.
   *
   * @param owner a number above 0
   */
  default void own(StreamId stream, int owner) {}

  /** Returns the scan of the streams. There is one for all callers. */
  default StreamScan scan() {
    return StreamScan.NONE;
  }

  /** The content of an address. */
  sealed interface Local {

    /**
     * An entry with data.
     *
     * @param streams the entry's streams; empty for an entry of no stream
     */
    record Data(List<StreamId> streams) implements Local {
      public Data {
        streams = List.copyOf(streams);
      }
    }

    /** An address without data. */
    enum Absent implements Local {
      UNWRITTEN,
      HOLE,
      TRIMMED
    }

    /** An entry whose streams the server cannot tell. */
    enum Unknown implements Local {
      /** The entry is not durable yet. */
      UNSETTLED,
      /** The entry cannot be read. */
      CORRUPT
    }
  }
}
