package corfu.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The encoding of a record's fields as one value: each field's name and bytes, one after another.
 * Big-endian, the default order of {@link ByteBuffer}.
 *
 * <pre>
 *   0        2         2+n      6+n
 *   +--------+---------+--------+-----------+---- - -
 *   | n      | name    | length | bytes     | the next field
 *   +--------+---------+--------+-----------+---- - -
 * </pre>
 */
final class RecordFields {

  private static final int HEAD = Short.BYTES + Integer.BYTES;
  private static final int LONGEST_NAME = 0xffff;

  private RecordFields() {}

  /**
   * Encodes the fields of a record.
   *
   * @throws IllegalArgumentException if a name is longer than 65,535 bytes
   */
  static byte[] encode(Map<String, byte[]> fields) {
    int size = 0;
    for (Map.Entry<String, byte[]> field : fields.entrySet()) {
      int name = field.getKey().getBytes(UTF_8).length;
      if (name > LONGEST_NAME) {
        throw new IllegalArgumentException("a field's name has %d bytes".formatted(name));
      }
      size += HEAD + name + field.getValue().length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    fields.forEach(
        (field, bytes) -> {
          byte[] name = field.getBytes(UTF_8);
          out.putShort((short) name.length).put(name).putInt(bytes.length).put(bytes);
        });
    return out.array();
  }

  /**
   * Decodes the fields of a record.
   *
   * @throws IllegalArgumentException if the value is not a record, because another application
   *     writes to the store
   */
  static Map<String, byte[]> decode(ByteBuffer value) {
    ByteBuffer in = value.duplicate();
    Map<String, byte[]> fields = new LinkedHashMap<>();
    try {
      while (in.hasRemaining()) {
        byte[] name = bytes(in, Short.toUnsignedInt(in.getShort()));
        fields.put(new String(name, UTF_8), bytes(in, in.getInt()));
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a value of %d bytes is no record".formatted(in.limit()));
    }
    return fields;
  }

  private static byte[] bytes(ByteBuffer in, int count) {
    if (count < 0 || count > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }
}
