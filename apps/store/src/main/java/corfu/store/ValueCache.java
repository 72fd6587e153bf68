package corfu.store;

import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Values that were used lately, up to a number of bytes. Thread-safe. */
final class ValueCache {

  /** What remembering a value costs beside its bytes, about. */
  private static final int BYTES_A_VALUE = 100;

  private record Place(long address, int offset) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Place, ByteBuffer> values = new LinkedHashMap<>(16, 0.75f, true);
  private final long maxBytes;
  private long bytes;

  ValueCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  Optional<ByteBuffer> find(Slot slot) {
    lock.lock();
    try {
      return Optional.ofNullable(values.get(place(slot)));
    } finally {
      lock.unlock();
    }
  }

  void keep(Slot slot, ByteBuffer value) {
    long size = value.remaining() + (long) BYTES_A_VALUE;
    if (size > maxBytes) {
      return;
    }
    lock.lock();
    try {
      if (values.put(place(slot), value) == null) {
        bytes += size;
      }
      Iterator<ByteBuffer> oldest = values.values().iterator();
      while (bytes > maxBytes) {
        bytes -= oldest.next().remaining() + (long) BYTES_A_VALUE;
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  private static Place place(Slot slot) {
    Address address = slot.address();
    return new Place(address.value(), slot.offset());
  }
}
