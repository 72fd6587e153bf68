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
 * Entries that have been read, for all streams of a client. An entry in several streams is fetched
 * once; so is an entry that was read to find the ones before it. Bounded by bytes; the entries used
 * last stay. Thread-safe.
 */
final class EntryCache {

  /** The bytes that an entry costs beside its payload. */
  private static final int OVERHEAD_BYTES = 200;

  /** Fewer addresses are read one by one. */
  private static final int LEAST_PIECE = 16;

  /** Entries that are read ahead may fill one of this many parts of the cache. */
  private static final int AHEAD_PART = 8;

  private static final int MOST_AHEAD = 1024;

  private final Log log;
  private final LongSupplier beginning;
  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<Long, LogEntry.Data> entries = new LinkedHashMap<>(64, 0.75f, true);
  private long bytes;

  /**
   * @param beginning the log address below which everything is trimmed. There, trim marks of
   *     streams may be forgotten, so cached entries below it must not be returned.
   */
  EntryCache(Log log, LongSupplier beginning, long maxBytes) {
    this.log = log;
    this.beginning = beginning;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the entries at these addresses, in their order. Unknown entries are read from the log.
   */
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
        return read; // the most frequent case in long reads
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

  /** Reads addresses from the log, in one piece if they are close together. */
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

  /** Reads entries that will be wanted soon, up to a part of the cache's size. */
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

  /** Returns the addresses whose entries are not in the cache. */
  List<Address> unknown(List<Address> addresses) {
    return addresses.stream().filter(address -> !has(address.value())).toList();
  }

  /** Returns whether the address's entry is in the cache. */
  boolean has(long address) {
    lock.lock();
    try {
      return entries.containsKey(address);
    } finally {
      lock.unlock();
    }
  }

  /** Keeps entries that have been read. Keeps only entries that never change. */
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
   * Keeps the entries that are also in other streams, of a stream that has a replica of its own.
   * Its other entries can be read there again, and need not be kept.
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

  /**
   * Keeps an entry. If it is trimmed later, it may be returned for a while longer. The caller holds
   * the lock.
   */
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

  /** Returns the approximate number of bytes that the cache holds. */
  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
