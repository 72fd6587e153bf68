package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Entries that have been read, for all streams of a client: an entry in several streams, or one
 * that was read to find those before it, is fetched once. Bounded by bytes; what was used last
 * stays. Thread-safe.
 */
final class EntryCache {

  /** What an entry costs beside its payload. */
  private static final int OVERHEAD_BYTES = 200;

  /** Fewer are read one by one. */
  private static final int LEAST_PIECE = 16;

  /** Of its room, what is read ahead takes one of so many parts. */
  private static final int AHEAD_PART = 8;

  private static final int MOST_AHEAD = 1024;

  private final Log log;
  private final LongSupplier beginning;
  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<Long, LogEntry.Data> entries = new LinkedHashMap<>(64, 0.75f, true);
  private long bytes;

  /**
   * @param beginning everything below this log address is trimmed. Nobody may know any more up to
   *     where streams are trimmed there, so that what was read before must not be given.
   */
  EntryCache(Log log, LongSupplier beginning, long maxBytes) {
    this.log = log;
    this.beginning = beginning;
    this.maxBytes = maxBytes;
  }

  /** What these addresses hold, in their order; from the log where it is not known. */
  List<LogEntry> read(List<Long> addresses) {
    Map<Long, LogEntry> known = new HashMap<>();
    List<Address> missing = new ArrayList<>();
    long first = beginning.getAsLong();
    lock.lock();
    try {
      for (long address : addresses) {
        LogEntry entry = address < first ? null : entries.get(address);
        if (entry == null) {
          missing.add(new Address(address));
        } else {
          known.put(address, entry);
        }
      }
    } finally {
      lock.unlock();
    }
    if (!missing.isEmpty()) {
      List<LogEntry> read = readFromLog(missing);
      keepAll(read);
      if (known.isEmpty() && areOf(addresses, read)) {
        return read; // as mostly, where much is read
      }
      for (LogEntry entry : read) {
        known.put(entry.address().value(), entry);
      }
    }
    List<LogEntry> all = new ArrayList<>(addresses.size());
    for (long address : addresses) {
      all.add(known.getOrDefault(address, new LogEntry.Unwritten(new Address(address))));
    }
    return all;
  }

  private static boolean areOf(List<Long> addresses, List<LogEntry> entries) {
    boolean areOf = addresses.size() == entries.size();
    for (int i = 0; areOf && i < entries.size(); i++) {
      areOf = entries.get(i).address().value() == addresses.get(i);
    }
    return areOf;
  }

  /** Those that lie close together are read in one piece. */
  private List<LogEntry> readFromLog(List<Address> addresses) {
    long lowest = Long.MAX_VALUE;
    long highest = -1;
    for (Address address : addresses) {
      lowest = Math.min(lowest, address.value());
      highest = Math.max(highest, address.value());
    }
    boolean isDense =
        addresses.size() >= LEAST_PIECE
            && highest - lowest < addresses.size() + addresses.size() / 4;
    return isDense ? log.read(new Address(lowest), new Address(highest + 1)) : log.read(addresses);
  }

  /** Reads what will be wanted soon, as far as it takes no more than a part of the room. */
  void readAhead(List<Long> addresses) {
    long read = 0;
    int next = 0;
    int together = LEAST_PIECE;
    while (next < addresses.size() && read < maxBytes / AHEAD_PART) {
      int to = Math.min(addresses.size(), next + together);
      for (LogEntry entry : read(addresses.subList(next, to))) {
        read += entry instanceof LogEntry.Data data ? weight(data) : OVERHEAD_BYTES;
      }
      next = to;
      long each = Math.max(1, read / next);
      together = Math.clamp(maxBytes / AHEAD_PART / each, 1, MOST_AHEAD);
    }
  }

  /** Of these addresses, those that it is not known of what they hold. */
  List<Address> unknown(List<Address> addresses) {
    return addresses.stream().filter(address -> !has(address.value())).toList();
  }

  /** Whether it is known what an address holds. */
  boolean has(long address) {
    lock.lock();
    try {
      return entries.containsKey(address);
    } finally {
      lock.unlock();
    }
  }

  /** Entries that have been read. Only what never changes is kept. */
  void keepAll(List<? extends LogEntry> read) {
    lock.lock();
    try {
      for (LogEntry entry : read) {
        if (entry instanceof LogEntry.Data data) {
          keep(data);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The same of a stream that has a replica of its own: what is in no other one is read there
   * again, and has not to be remembered.
   */
  void keepShared(List<LogEntry.Data> read) {
    List<LogEntry.Data> shared = new ArrayList<>(0);
    for (LogEntry.Data data : read) {
      if (data.streams().size() > 1) {
        shared.add(data);
      }
    }
    if (!shared.isEmpty()) {
      keepAll(shared);
    }
  }

  /** What is trimmed later may be seen a while longer. For who has the lock. */
  private void keep(LogEntry.Data data) {
    if (entries.put(data.address().value(), data) == null) {
      bytes += weight(data);
    }
    while (bytes > maxBytes && !entries.isEmpty()) {
      bytes -= weight(entries.pollFirstEntry().getValue());
    }
  }

  private static long weight(LogEntry.Data data) {
    return (long) OVERHEAD_BYTES + data.payload().remaining();
  }

  /** Bytes that it holds, about. */
  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
