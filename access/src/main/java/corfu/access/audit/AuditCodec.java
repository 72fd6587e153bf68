package corfu.access.audit;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The bytes of records of the audit log. Little-endian.
 *
 * <pre>
 *   0         1                33       41       49       57        65
 *   +---------+----------------+--------+--------+--------+---------+-------------+--------+-------
 *   | version | previous hash  | life   | number | millis | dropped | text server | count  | events
 *   |  u8 = 1 | 32 bytes       | u64    | u64    | u64    | u64     |             | u32    |
 *   +---------+----------------+--------+--------+--------+---------+-------------+--------+-------
 *
 *   event   u64 millis, u8 kind, u8 permission (0: none), u8 stream (0: none, 1: it has an id),
 *           u64 and u64 the stream's id, u64 count,
 *           text each: identity, origin, action, name of the stream, detail
 *   kind    1 refused, 2 done, 3 unlisted
 *   text    u16 length, UTF-8 bytes
 * </pre>
 *
 * A record's hash covers all of these bytes. The entry's checksum tells accidental damage.
 * Stateless.
 */
public final class AuditCodec {

  private static final int VERSION = 1;
  private static final int HAS_STREAM = 1;

  private static final int HEAD_BYTES = 1 + RecordHash.BYTES + 4 * Long.BYTES;
  private static final int EVENT_BYTES = 4 * Long.BYTES + 3;
  private static final int TEXTS = 5;
  private static final int LEAST_EVENT_BYTES = EVENT_BYTES + TEXTS * Short.BYTES;

  private AuditCodec() {}

  /** Returns the bytes of a record, the payload of its entry. */
  public static ByteBuffer encode(AuditRecord record) {
    int size = HEAD_BYTES + textBytes(record.server()) + Integer.BYTES;
    for (AuditRecord.Timed timed : record.events()) {
      size += size(timed.event());
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) VERSION).put(record.previous().bytes());
    out.putLong(record.life()).putLong(record.number());
    out.putLong(record.millis()).putLong(record.dropped());
    putText(record.server(), out);
    out.putInt(record.events().size());
    record.events().forEach(timed -> put(timed, out));
    return out.flip().asReadOnlyBuffer();
  }

  /** Returns the size of an event in a record, in bytes. */
  public static int size(AuditEvent event) {
    return EVENT_BYTES
        + textBytes(event.identity().name())
        + textBytes(event.origin())
        + textBytes(event.action())
        + textBytes(event.streamName())
        + textBytes(event.detail());
  }

  private static void put(AuditRecord.Timed timed, ByteBuffer out) {
    AuditEvent event = timed.event();
    StreamId stream = event.stream().orElse(StreamId.NONE);
    out.putLong(timed.millis());
    out.put(code(event.kind()));
    out.put(event.permission().map(Permission::code).orElse((byte) 0));
    out.put((byte) (event.stream().isPresent() ? HAS_STREAM : 0));
    out.putLong(stream.high()).putLong(stream.low());
    out.putLong(event.count());
    putText(event.identity().name(), out);
    putText(event.origin(), out);
    putText(event.action(), out);
    putText(event.streamName(), out);
    putText(event.detail(), out);
  }

  private static byte code(AuditEvent.Kind kind) {
    return switch (kind) {
      case REFUSED -> 1;
      case DONE -> 2;
      case UNLISTED -> 3;
    };
  }

  private static AuditEvent.Kind kind(int code) {
    return switch (code) {
      case 1 -> AuditEvent.Kind.REFUSED;
      case 2 -> AuditEvent.Kind.DONE;
      case 3 -> AuditEvent.Kind.UNLISTED;
      default -> throw new DamagedAuditException("no event has the kind " + code);
    };
  }

  private static int textBytes(String text) {
    return Short.BYTES + text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void putText(String text, ByteBuffer out) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.putShort((short) utf8.length).put(utf8);
  }

  /**
   * Reads a record.
   *
   * @param payload the payload of an entry of the audit log
   * @throws DamagedAuditException if the bytes are no record, or are of a later version
   */
  public static AuditRecord decode(ByteBuffer payload) {
    ByteBuffer in = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
    need(1, in);
    int version = Byte.toUnsignedInt(in.get());
    if (version != VERSION) {
      throw new DamagedAuditException(
          "it has format %d, where this version of the program knows format %d"
              .formatted(version, VERSION));
    }
    need(HEAD_BYTES - 1, in);
    byte[] previous = new byte[RecordHash.BYTES];
    in.get(previous);
    long life = in.getLong();
    long number = in.getLong();
    long millis = in.getLong();
    long dropped = in.getLong();
    String server = getText(in);
    need(Integer.BYTES, in);
    int count = in.getInt();
    if (count < 0 || (long) count * LEAST_EVENT_BYTES > in.remaining()) {
      throw new DamagedAuditException("it claims %d events, which it cannot hold".formatted(count));
    }
    List<AuditRecord.Timed> events = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      events.add(event(in));
    }
    if (in.hasRemaining()) {
      throw new DamagedAuditException("it has more bytes behind its end");
    }
    return new AuditRecord(RecordHash.of(previous), server, life, number, millis, dropped, events);
  }

  private static AuditRecord.Timed event(ByteBuffer in) {
    need(EVENT_BYTES, in);
    long millis = in.getLong();
    AuditEvent.Kind kind = kind(in.get());
    int permission = in.get();
    int hasStream = in.get();
    StreamId stream = new StreamId(in.getLong(), in.getLong());
    if (hasStream != HAS_STREAM && (hasStream != 0 || !stream.equals(StreamId.NONE))) {
      throw new DamagedAuditException("an event is about a stream or about none");
    }
    long count = in.getLong();
    String identity = getText(in);
    String origin = getText(in);
    String action = getText(in);
    String name = getText(in);
    String detail = getText(in);
    if (Math.max(origin.length(), detail.length()) > AuditEvent.MOST_CHARS) {
      throw new DamagedAuditException("an event has a longer text than Corfu writes");
    }
    try {
      return new AuditRecord.Timed(
          millis,
          new AuditEvent(
              kind,
              new Identity(identity),
              origin,
              action,
              permission == 0 ? Optional.empty() : Optional.of(Permission.ofCode(permission)),
              hasStream == HAS_STREAM ? Optional.of(stream) : Optional.empty(),
              detail,
              count,
              name));
    } catch (IllegalArgumentException wrong) {
      throw new DamagedAuditException("it holds " + wrong.getMessage());
    }
  }

  private static String getText(ByteBuffer in) {
    need(Short.BYTES, in);
    int length = Short.toUnsignedInt(in.getShort());
    need(length, in);
    ByteBuffer utf8 = in.slice(in.position(), length);
    in.position(in.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException e) {
      throw new DamagedAuditException("it has a text that is not UTF-8");
    }
  }

  private static void need(int bytes, ByteBuffer in) {
    if (in.remaining() < bytes) {
      throw new DamagedAuditException("it ends too early");
    }
  }
}
