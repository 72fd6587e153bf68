package corfu.silver.internal.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.silver.DamagedEntryException;
import corfu.world.ProcessIdentity;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An entry of the stream of a file system's members. Little-endian.
 *
 * <pre>
 *   0      1         2      3         19           27               35           37
 *   +------+---------+------+---------+------------+----------------+------------+---------+
 *   | 0xA7 | version | kind | id (16) | number (8) | start time (8) | length (2) | machine |
 *   +------+---------+------+---------+------------+----------------+------------+---------+
 *
 *   kind  1 joins, 2 leaves, 3 has ended without leaving
 * </pre>
 *
 * @param kind what happened
 * @param member whom it happened to
 */
record MemberRecord(Kind kind, Member member) {

  private static final byte MAGIC = (byte) 0xA7;
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 37;

  enum Kind {
    JOINS(1),
    LEAVES(2),
    HAS_ENDED(3);

    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }
  }

  ByteBuffer encode() {
    byte[] machine = member.process().machine().getBytes(UTF_8);
    return ByteBuffer.allocate(FIXED_BYTES + machine.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .put(VERSION)
        .put(kind.code)
        .putLong(member.id().high())
        .putLong(member.id().low())
        .putLong(member.process().number())
        .putLong(member.process().startTicks())
        .putShort((short) machine.length)
        .put(machine)
        .flip();
  }

  static MemberRecord decode(Address address, ByteBuffer payload) {
    ByteBuffer in = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      if (in.get() != MAGIC || in.get() != VERSION) {
        throw new DamagedEntryException(
            address, "it does not begin as version %d of a member's entry".formatted(VERSION));
      }
      byte code = in.get();
      StreamId id = new StreamId(in.getLong(), in.getLong());
      long number = in.getLong();
      long startTicks = in.getLong();
      byte[] machine = new byte[in.getShort() & 0xffff];
      in.get(machine);
      String name = new String(machine, UTF_8);
      Member member = new Member(id, new ProcessIdentity(name, number, startTicks));
      for (Kind kind : Kind.values()) {
        if (kind.code == code) {
          return new MemberRecord(kind, member);
        }
      }
      throw new DamagedEntryException(address, "its kind is " + code);
    } catch (BufferUnderflowException tooShort) {
      throw new DamagedEntryException(address, "it ends too early");
    }
  }
}
