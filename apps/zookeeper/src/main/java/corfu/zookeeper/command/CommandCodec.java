package corfu.zookeeper.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.zookeeper.command.NamespaceCommand.AttachSession;
import corfu.zookeeper.command.NamespaceCommand.ClientRequest;
import corfu.zookeeper.command.NamespaceCommand.CreateSession;
import corfu.zookeeper.command.NamespaceCommand.DeleteUnused;
import corfu.zookeeper.command.NamespaceCommand.ExpireSession;
import corfu.zookeeper.command.NamespaceCommand.Origin;
import corfu.zookeeper.command.NamespaceCommand.RegisterServer;
import corfu.zookeeper.command.NamespaceCommand.RemoveServer;
import corfu.zookeeper.command.NamespaceCommand.Vouch;
import corfu.zookeeper.command.NamespaceCommand.VouchedSession;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.data.Id;

/**
 * Encodes commands. All numbers are big-endian; a text is its length in bytes (4 bytes) and its
 * UTF-8 bytes.
 *
 * <pre>
 *   0      1
 *   +------+----------------------------------------------------------------
 *   | kind | fields of the command, in the order of the record's components
 *   +------+----------------------------------------------------------------
 * </pre>
 *
 * A list is its number of elements (4 bytes) and the elements. The body of a client's request is
 * the rest of the command.
 */
public final class CommandCodec {

  private static final byte REGISTER_SERVER = 1;
  private static final byte VOUCH = 2;
  private static final byte REMOVE_SERVER = 3;
  private static final byte CREATE_SESSION = 4;
  private static final byte ATTACH_SESSION = 5;
  private static final byte EXPIRE_SESSION = 6;
  private static final byte DELETE_UNUSED = 7;
  private static final byte CLIENT_REQUEST = 8;

  private static final int VOUCHED_BYTES = 12;
  private static final int FIXED_REQUEST_BYTES = 1 + 16 + 24 + 8 + 8 + 4;

  private CommandCodec() {}

  /** Returns the encoded command, from position 0 to the limit. */
  public static ByteBuffer encode(NamespaceCommand command) {
    ByteBuffer out =
        switch (command) {
          case RegisterServer(long incarnation, String address) -> {
            byte[] text = address.getBytes(UTF_8);
            yield putText(sized(REGISTER_SERVER, 12 + text.length).putLong(incarnation), text);
          }
          case Vouch(int server, List<VouchedSession> sessions) -> {
            ByteBuffer to = sized(VOUCH, 8 + VOUCHED_BYTES * sessions.size());
            to.putInt(server).putInt(sessions.size());
            sessions.forEach(one -> to.putLong(one.session()).putInt(one.idleMillis()));
            yield to;
          }
          case RemoveServer(int server, long lastVouch) ->
              sized(REMOVE_SERVER, 12).putInt(server).putLong(lastVouch);
          case CreateSession(Origin origin, long session, int timeout, long time) ->
              put(sized(CREATE_SESSION, 36), origin).putLong(session).putInt(timeout).putLong(time);
          case AttachSession(Origin origin, long session, int timeout) ->
              put(sized(ATTACH_SESSION, 28), origin).putLong(session).putInt(timeout);
          case ExpireSession(long session, long lastVouch, long time) ->
              sized(EXPIRE_SESSION, 24).putLong(session).putLong(lastVouch).putLong(time);
          case DeleteUnused unused -> encodeUnused(unused);
          case ClientRequest request -> encodeRequest(request);
        };
    return out.flip();
  }

  private static ByteBuffer encodeUnused(DeleteUnused unused) {
    byte[] text = unused.path().getBytes(UTF_8);
    return putText(sized(DELETE_UNUSED, 28 + text.length), text)
        .putLong(unused.modified())
        .putLong(unused.childrenChanged())
        .putLong(unused.timeMillis());
  }

  private static ByteBuffer encodeRequest(ClientRequest request) {
    List<byte[]> texts = new ArrayList<>(2 * request.identities().size());
    int size = FIXED_REQUEST_BYTES + request.body().remaining();
    for (Id identity : request.identities()) {
      texts.add(identity.getScheme().getBytes(UTF_8));
      texts.add(identity.getId().getBytes(UTF_8));
    }
    for (byte[] text : texts) {
      size += 4 + text.length;
    }
    ByteBuffer out = put(sized(CLIENT_REQUEST, size - 1), request.origin());
    out.putLong(request.session()).putLong(request.attachment()).putLong(request.sequence());
    out.putInt(request.xid()).putInt(request.type()).putLong(request.timeMillis());
    out.putInt(request.identities().size());
    texts.forEach(text -> putText(out, text));
    return out.put(request.body().duplicate());
  }

  private static ByteBuffer sized(byte kind, int size) {
    return ByteBuffer.allocate(1 + size).put(kind);
  }

  private static ByteBuffer put(ByteBuffer out, Origin origin) {
    return out.putLong(origin.incarnation()).putLong(origin.request());
  }

  private static ByteBuffer putText(ByteBuffer out, byte[] text) {
    return out.putInt(text.length).put(text);
  }

  /**
   * Decodes a command.
   *
   * @throws IllegalArgumentException if the bytes are no command
   */
  public static NamespaceCommand decode(ByteBuffer in) {
    byte kind = 0;
    try {
      kind = in.get();
      return switch (kind) {
        case REGISTER_SERVER -> new RegisterServer(in.getLong(), text(in));
        case VOUCH -> new Vouch(in.getInt(), vouched(in));
        case REMOVE_SERVER -> new RemoveServer(in.getInt(), in.getLong());
        case CREATE_SESSION ->
            new CreateSession(origin(in), in.getLong(), in.getInt(), in.getLong());
        case ATTACH_SESSION -> new AttachSession(origin(in), in.getLong(), in.getInt());
        case EXPIRE_SESSION -> new ExpireSession(in.getLong(), in.getLong(), in.getLong());
        case DELETE_UNUSED -> new DeleteUnused(text(in), in.getLong(), in.getLong(), in.getLong());
        case CLIENT_REQUEST -> request(in);
        default -> throw new IllegalArgumentException("no command begins with byte " + kind);
      };
    } catch (BufferUnderflowException cut) {
      throw new IllegalArgumentException("a command of kind %d is cut off".formatted(kind), cut);
    }
  }

  private static ClientRequest request(ByteBuffer in) {
    Origin origin = origin(in);
    long session = in.getLong();
    long attachment = in.getLong();
    long sequence = in.getLong();
    int xid = in.getInt();
    int type = in.getInt();
    long time = in.getLong();
    int count = count(in, 8);
    List<Id> identities = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      identities.add(new Id(text(in), text(in)));
    }
    byte[] body = new byte[in.remaining()];
    in.get(body);
    return new ClientRequest(
        origin, session, attachment, sequence, xid, type, time, identities, ByteBuffer.wrap(body));
  }

  private static List<VouchedSession> vouched(ByteBuffer in) {
    int count = count(in, VOUCHED_BYTES);
    List<VouchedSession> sessions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sessions.add(new VouchedSession(in.getLong(), in.getInt()));
    }
    return sessions;
  }

  private static Origin origin(ByteBuffer in) {
    return new Origin(in.getLong(), in.getLong());
  }

  private static String text(ByteBuffer in) {
    byte[] text = new byte[count(in, 1)];
    in.get(text);
    return new String(text, UTF_8);
  }

  /** Reads a number of elements, which the rest must have room for. */
  private static int count(ByteBuffer in, int elementBytes) {
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / elementBytes) {
      throw new BufferUnderflowException();
    }
    return count;
  }
}
