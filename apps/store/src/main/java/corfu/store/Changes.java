package corfu.store;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An atomic change of several keys: values to put, keys to remove, and the conditions of the
 * change. Not thread-safe while it is built.
 *
 * <pre>{@code
 * store.write(new Changes().put("a", one).remove("b").expect("a", 57).expectAbsent("c"));
 * }</pre>
 */
public final class Changes {

  private final Map<String, Optional<ByteBuffer>> writes = new LinkedHashMap<>();
  private final Map<String, OptionalLong> expected = new LinkedHashMap<>();

  /** Puts a value, which must not change until the write has ended. */
  public Changes put(String key, ByteBuffer value) {
    writes.put(key, Optional.of(value.duplicate()));
    return this;
  }

  /** Puts a value. */
  public Changes put(String key, byte[] value) {
    return put(key, ByteBuffer.wrap(value));
  }

  /** Removes a key's value, if it has one. */
  public Changes remove(String key) {
    writes.put(key, Optional.empty());
    return this;
  }

  /** Makes the change depend on the version of a key's value. */
  public Changes expect(String key, long version) {
    expected.put(key, OptionalLong.of(version));
    return this;
  }

  /** Makes the change depend on the absence of a key's value. */
  public Changes expectAbsent(String key) {
    expected.put(key, OptionalLong.empty());
    return this;
  }

  /** Returns whether the change depends on the version of a key, or on the absence of a value. */
  public boolean isConditional() {
    return !expected.isEmpty();
  }

  Map<String, Optional<ByteBuffer>> writes() {
    return Collections.unmodifiableMap(writes);
  }

  Map<String, OptionalLong> expected() {
    return Collections.unmodifiableMap(expected);
  }
}
