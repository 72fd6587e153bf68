package corfu.store;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What shall change, all of it or nothing: keys that get a value, or lose theirs; and what must be
 * so that it happens. Not thread-safe while it is being made.
 *
 * <pre>{@code
 * store.write(new Changes().put("a", one).remove("b").expect("a", 57).expectAbsent("c"));
 * }</pre>
 */
public final class Changes {

  private final Map<String, Optional<ByteBuffer>> writes = new LinkedHashMap<>();
  private final Map<String, OptionalLong> expected = new LinkedHashMap<>();

  /** The key gets this value, which must not change until the store has been written to. */
  public Changes put(String key, ByteBuffer value) {
    writes.put(key, Optional.of(value.duplicate()));
    return this;
  }

  /** The key gets this value. */
  public Changes put(String key, byte[] value) {
    return put(key, ByteBuffer.wrap(value));
  }

  /** The key has no value afterwards, whether it had one or not. */
  public Changes remove(String key) {
    writes.put(key, Optional.empty());
    return this;
  }

  /** Only if the key's value has this version. */
  public Changes expect(String key, long version) {
    expected.put(key, OptionalLong.of(version));
    return this;
  }

  /** Only if the key has no value. */
  public Changes expectAbsent(String key) {
    expected.put(key, OptionalLong.empty());
    return this;
  }

  Map<String, Optional<ByteBuffer>> writes() {
    return Collections.unmodifiableMap(writes);
  }

  Map<String, OptionalLong> expected() {
    return Collections.unmodifiableMap(expected);
  }
}
