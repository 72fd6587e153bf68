package corfu.store;

import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Fetches values from the log. Thread-safe. */
final class Values {

  /** Entries that are in memory at the same time for one call; each may be as large as a part. */
  private static final int ENTRIES_TOGETHER = 32;

  /** Entries that are in memory at the same time for all calls; further calls wait. */
  private static final int ENTRIES_IN_ALL = 128;

  private final Log log;
  private final ValueCache cache;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition someRead = lock.newCondition();
  private int entries; // that are being read

  Values(Log log, ValueCache cache) {
    this.log = log;
    this.cache = cache;
  }

  /**
   * The values at these places, by their keys, in the same order; empty if one of them has been
   * moved, or forgotten.
   */
  Optional<Map<String, Versioned>> read(Map<String, Slot> slots) {
    Map<Slot, ByteBuffer> found = new HashMap<>();
    Map<Address, List<Slot>> missing = new LinkedHashMap<>();
    for (Slot slot : slots.values()) {
      Optional<ByteBuffer> cached = cache.find(slot);
      if (cached.isPresent()) {
        found.put(slot, cached.get());
      } else {
        missing.computeIfAbsent(slot.address(), address -> new ArrayList<>()).add(slot);
      }
    }
    List<Address> addresses = List.copyOf(missing.keySet());
    for (int low = 0; low < addresses.size(); low += ENTRIES_TOGETHER) {
      int high = Math.min(addresses.size(), low + ENTRIES_TOGETHER);
      if (!read(addresses.subList(low, high), missing, found)) {
        return Optional.empty();
      }
    }
    Map<String, Versioned> values = new LinkedHashMap<>();
    slots.forEach(
        (key, slot) ->
            values.put(key, new Versioned(found.getOrDefault(slot, EMPTY), slot.version())));
    return Optional.of(values);
  }

  /** Returns whether all of these entries still hold values. */
  private boolean read(
      List<Address> addresses, Map<Address, List<Slot>> missing, Map<Slot, ByteBuffer> found) {
    begin(addresses.size());
    try {
      for (LogEntry entry : log.read(addresses)) {
        if (!(entry instanceof LogEntry.Data data)) {
          return false;
        }
        for (Slot slot : missing.getOrDefault(entry.address(), List.of())) {
          ByteBuffer value = copyOf(data.payload(), slot);
          cache.keep(slot, value);
          found.put(slot, value);
        }
      }
      return true;
    } finally {
      end(addresses.size());
    }
  }

  private void begin(int count) {
    lock.lock();
    try {
      while (entries + count > ENTRIES_IN_ALL) {
        someRead.awaitUninterruptibly();
      }
      entries += count;
    } finally {
      lock.unlock();
    }
  }

  private void end(int count) {
    lock.lock();
    try {
      entries -= count;
      someRead.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  /** A small value must not keep a large entry in memory. */
  private static ByteBuffer copyOf(ByteBuffer payload, Slot slot) {
    byte[] copy = new byte[slot.length()];
    payload.get(slot.offset(), copy);
    return ByteBuffer.wrap(copy);
  }
}
