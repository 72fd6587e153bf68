package corfu.protocol.stream;

import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import java.util.List;

/**
 * The streams of the entries that a server holds. Permissions for requests that name addresses
 * depend on them. Lives on the server's thread.
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
