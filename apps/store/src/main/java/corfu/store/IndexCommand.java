package corfu.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.protocol.Address;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A command to the store's index. Little-endian. A key is its length in 2 bytes, and its UTF-8
 * bytes.
 *
 * <pre>
 *   write    | 1 | unchanged since (8) | expectations (4) | key, version (8) ...
 *                | changes (4) | key, form (1), by form ...
 *                                 form 0: the key loses its value
 *                                 form 1: length (4), the value
 *                                 form 2: address (8), offset (4), length (4) of the value
 *   move     | 2 | values (4) | key, version (8), length (4), the value ...
 *   floor    | 3 | address (8)
 * </pre>
 *
 * Version -1 means none: the key must have no value, or the whole store has no condition.
 */
sealed interface IndexCommand {

  long NONE = -1;

  /**
   * Changes keys.
   *
   * @param unchangedSince the largest version that the store's newest change may have; empty for no
   *     condition
   */
  record Write(OptionalLong unchangedSince, List<Expectation> expected, List<Change> changes)
      implements IndexCommand {}

  /** Changes the places of values, if the values still have these versions. */
  record Move(List<Moved> values) implements IndexCommand {}

  /** Forbids further commands to refer to values below an address. */
  record Floor(Address address) implements IndexCommand {}

  record Expectation(String key, OptionalLong version) {}

  /** The change of one key. */
  sealed interface Change {
    String key();
  }

  record Remove(String key) implements Change {}

  /**
   * The value is in the command.
   *
   * @param at the value's place in the encoded command; unknown before it is encoded
   */
  record Inline(String key, int at, ByteBuffer value) implements Change {}

  /** The value is in another entry. */
  record Elsewhere(String key, Address address, int offset, int length) implements Change {}

  /**
   * The same value at another place.
   *
   * @param at the value's place in the encoded command; unknown before it is encoded
   */
  record Moved(String key, long version, int at, ByteBuffer value) {}

  /** Returns the encoded command. */
  default ByteBuffer encoded() {
    Writer to = new Writer();
    switch (this) {
      case Write(var since, var expected, var changes) -> {
        to.u1(1).u8(since.orElse(NONE)).u4(expected.size());
        expected.forEach(one -> to.key(one.key()).u8(one.version().orElse(NONE)));
        to.u4(changes.size());
        changes.forEach(change -> write(change, to));
      }
      case Move(var values) -> {
        to.u1(2).u4(values.size());
        values.forEach(one -> to.key(one.key()).u8(one.version()).bytes(one.value()));
      }
      case Floor(var address) -> to.u1(3).u8(address.value());
    }
    return to.done();
  }

  private static void write(Change change, Writer to) {
    to.key(change.key());
    switch (change) {
      case Remove gone -> to.u1(0);
      case Inline inline -> to.u1(1).bytes(inline.value());
      case Elsewhere there ->
          to.u1(2).u8(there.address().value()).u4(there.offset()).u4(there.length());
    }
  }

  /**
   * Decodes a command. Values are slices of the body, so that their places in it are known.
   *
   * @throws IllegalArgumentException if the body is not a command
   */
  static IndexCommand decode(ByteBuffer body) {
    ByteBuffer from = body.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      byte kind = from.get();
      IndexCommand command =
          switch (kind) {
            case 1 -> readWrite(from);
            case 2 -> readMove(from);
            case 3 -> new Floor(new Address(from.getLong()));
            default -> throw new IllegalArgumentException("no command is of kind " + kind);
          };
      if (from.hasRemaining()) {
        throw new IllegalArgumentException("something follows a command of kind " + kind);
      }
      return command;
    } catch (BufferUnderflowException cut) {
      throw new IllegalArgumentException("a command ends before its end", cut);
    }
  }

  private static Write readWrite(ByteBuffer from) {
    OptionalLong since = version(from.getLong());
    int expectations = count(from);
    List<Expectation> expected = new ArrayList<>();
    for (int i = 0; i < expectations; i++) {
      expected.add(new Expectation(key(from), version(from.getLong())));
    }
    int count = count(from);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String key = key(from);
      byte form = from.get();
      changes.add(
          switch (form) {
            case 0 -> new Remove(key);
            case 1 -> {
              int length = from.getInt();
              yield new Inline(key, from.position(), slice(from, length));
            }
            case 2 -> new Elsewhere(key, new Address(from.getLong()), count(from), count(from));
            default -> throw new IllegalArgumentException("no change has form " + form);
          });
    }
    return new Write(since, expected, changes);
  }

  private static Move readMove(ByteBuffer from) {
    int count = count(from);
    List<Moved> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String key = key(from);
      long version = from.getLong();
      int length = from.getInt();
      values.add(new Moved(key, version, from.position(), slice(from, length)));
    }
    return new Move(values);
  }

  /** Reads a count, a place or a length, 0 or more. */
  private static int count(ByteBuffer from) {
    int count = from.getInt();
    if (count < 0) {
      throw new IllegalArgumentException("a command with the negative number " + count);
    }
    return count;
  }

  private static OptionalLong version(long encoded) {
    return encoded == NONE ? OptionalLong.empty() : OptionalLong.of(encoded);
  }

  private static String key(ByteBuffer from) {
    try {
      ByteBuffer bytes = slice(from, from.getShort() & 0xffff);
      return UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException noText) {
      throw new IllegalArgumentException("a command with a key that is not UTF-8", noText);
    }
  }

  private static ByteBuffer slice(ByteBuffer from, int length) {
    if (length < 0 || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer slice = from.slice(from.position(), length);
    from.position(from.position() + length);
    return slice;
  }

  /** An encoder with a growing buffer. */
  final class Writer {
    private ByteBuffer to = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

    private ByteBuffer room(int bytes) {
      if (to.remaining() < bytes) {
        int size = Math.max(Math.multiplyExact(to.capacity(), 2), to.position() + bytes);
        to = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).put(to.flip());
      }
      return to;
    }

    Writer u1(int value) {
      room(1).put((byte) value);
      return this;
    }

    Writer u4(int value) {
      room(4).putInt(value);
      return this;
    }

    Writer u8(long value) {
      room(8).putLong(value);
      return this;
    }

    Writer key(String key) {
      byte[] bytes = key.getBytes(UTF_8);
      room(2 + bytes.length).putShort((short) bytes.length).put(bytes);
      return this;
    }

    Writer bytes(ByteBuffer bytes) {
      room(4 + bytes.remaining()).putInt(bytes.remaining()).put(bytes.duplicate());
      return this;
    }

    ByteBuffer done() {
      return to.flip();
    }
  }
}
