package corfu.store;

import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A cache of values that were used lately, up to a number of bytes. Applied commands replace and
 * add values, so that readers need not fetch new values from the log. Thread-safe.
 */
final class ValueCache {

  /** The approximate memory of a cached value beside its bytes. */
  private static final int BYTES_A_VALUE = 100;

  /**
   * The place of a value. It includes the length, because an empty value has the same offset as the
   * next one.
   */
  private record Place(long address, int offset, int length) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Place, ByteBuffer> values = new LinkedHashMap<>(16, 0.75f, true);
  private final long maxBytes;
  private long bytes;
  private long followedTo = -1; // the log address of the newest change

  ValueCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  Optional<ByteBuffer> find(ValueLocation slot) {
    lock.lock();
    try {
      return Optional.ofNullable(values.get(place(slot)));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that a change gave a key a value, in the order of changes. A reader of the past may
   * repeat old changes.
   *
   * @param before the place of the key's previous value
   * @param value the value, which is valid until this returns
   */
  void follow(Optional<ValueLocation> before, ValueLocation now, ByteBuffer value) {
    if (maxBytes == 0) {
      return;
    }
    boolean isWanted;
    lock.lock();
    try {
      if (now.address().value() < followedTo) {
        return;
      }
      followedTo = now.address().value();
      isWanted = before.isEmpty() || drop(before.get());
    } finally {
      lock.unlock();
    }
    if (isWanted) {
      keep(now, ByteBuffer.allocate(value.remaining()).put(value.duplicate()).flip());
    }
  }

  private boolean drop(ValueLocation slot) {
    @Nullable ByteBuffer value = values.remove(place(slot));
    bytes -= value == null ? 0 : size(value);
    return value != null;
  }

  private static long size(ByteBuffer value) {
    return value.remaining() + (long) BYTES_A_VALUE;
  }

  /**
   * Caches a value that was read.
   *
   * @param value the value, which must not change
   */
  void keep(ValueLocation slot, ByteBuffer value) {
    long size = size(value);
    if (size > maxBytes) {
      return;
    }
    lock.lock();
    try {
      if (values.put(place(slot), value.asReadOnlyBuffer()) == null) {
        bytes += size;
      }
      Iterator<ByteBuffer> oldest = values.values().iterator();
      while (bytes > maxBytes) {
        bytes -= size(oldest.next());
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  private static Place place(ValueLocation slot) {
    Address address = slot.address();
    return new Place(address.value(), slot.offset(), slot.length());
  }
}
