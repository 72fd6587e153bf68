package corfu.store;

import corfu.protocol.Address;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.Places;
import corfu.runtime.StreamAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fetches values from the log. Thread-safe. */
final class Values {

  /**
   * The number of entries of one call that are in memory at the same time; each may be as large as
   * a part.
   */
  private static final int ENTRIES_TOGETHER = 32;

  /** The number of reads of all calls at the same time; further calls wait. */
  private static final int READS_IN_ALL = 4;

  private final StreamAccess access;
  private final Log log;
  private final ValueCache cache;
  private final Places reads = new Places("reads of values", READS_IN_ALL);

  Values(StreamAccess access, ValueCache cache) {
    this.access = access;
    this.log = access.log();
    this.cache = cache;
  }

  /**
   * Returns the values at these places by their keys, in the same order, or empty if one of them
   * was moved or deleted.
   */
  Optional<Map<String, Versioned>> read(Map<String, ValueLocation> slots) {
    Map<ValueLocation, ByteBuffer> found = new HashMap<>();
    Map<Address, List<ValueLocation>> missing = new LinkedHashMap<>();
    for (ValueLocation slot : slots.values()) {
      Optional<ByteBuffer> cached = cache.find(slot);
      if (cached.isPresent()) {
        found.put(slot, cached.get());
      } else {
        missing.computeIfAbsent(slot.address(), address -> new ArrayList<>()).add(slot);
      }
    }
    List<Address> addresses = List.copyOf(missing.keySet());
    CallScope call = access.call();
    try {
      return read(addresses, missing, found, call.deadline())
          ? Optional.of(values(slots, found))
          : Optional.empty();
    } finally {
      call.end();
    }
  }

  /** Returns false if one of the entries does not exist any more. */
  private boolean read(
      List<Address> addresses,
      Map<Address, List<ValueLocation>> missing,
      Map<ValueLocation, ByteBuffer> found,
      Deadline deadline) {
    for (int low = 0; low < addresses.size(); low += ENTRIES_TOGETHER) {
      int high = Math.min(addresses.size(), low + ENTRIES_TOGETHER);
      if (!readTogether(addresses.subList(low, high), missing, found, deadline)) {
        return false;
      }
    }
    return true;
  }

  private static Map<String, Versioned> values(
      Map<String, ValueLocation> slots, Map<ValueLocation, ByteBuffer> found) {
    Map<String, Versioned> values = new LinkedHashMap<>();
    slots.forEach(
        (key, slot) ->
            values.put(key, new Versioned(found.getOrDefault(slot, EMPTY), slot.version())));
    return values;
  }

  /** Returns whether all of these entries still hold values. */
  private boolean readTogether(
      List<Address> addresses,
      Map<Address, List<ValueLocation>> missing,
      Map<ValueLocation, ByteBuffer> found,
      Deadline deadline) {
    reads.enter(deadline);
    try {
      for (LogEntry entry : log.read(addresses)) {
        if (!(entry instanceof LogEntry.Data data)) {
          return false;
        }
        for (ValueLocation slot : missing.getOrDefault(entry.address(), List.of())) {
          ByteBuffer value = copyOf(data.payload(), slot);
          cache.keep(slot, value);
          found.put(slot, value);
        }
      }
      return true;
    } finally {
      reads.leave();
    }
  }

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  /** A small value must not keep a large entry in memory. */
  private static ByteBuffer copyOf(ByteBuffer payload, ValueLocation slot) {
    byte[] copy = new byte[slot.length()];
    payload.get(slot.offset(), copy);
    return ByteBuffer.wrap(copy);
  }
}
