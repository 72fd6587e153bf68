package corfu.access;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The bytes of changes and policies. Little-endian.
 *
 * <pre>
 *   change     u8 version, u8 kind, text author, fields, u32 crc32c
 *     1, 2     grant: to give, to revoke
 *     3        role: to set                    4   text: the role to remove
 *     5        text subject, quota: to set     6   text subject: the quota to remove
 *     7        whole: the policy again
 *   policy     u8 version, whole, u32 crc32c
 *   whole      u64 address, count, grant each, count, role each,
 *              count, text subject and quota each
 *   grant      text subject, u8 permission, text target
 *   role       text name, count, text subject each
 *   quota      u64 each: bytes a second, appends a second, streams, stored bytes, subscriptions,
 *              connections; 2^63 - 1: no limit
 *   text       u16 length, UTF-8 bytes
 *   count      u32
 * </pre>
 *
 * The checksum covers all bytes before it. Subjects and targets are in their text form. Stateless.
 */
public final class PolicyCodec {

  private static final int VERSION = 1;
  private static final int GIVE = 1;
  private static final int REVOKE = 2;
  private static final int SET_ROLE = 3;
  private static final int REMOVE_ROLE = 4;
  private static final int SET_QUOTA = 5;
  private static final int REMOVE_QUOTA = 6;
  private static final int SNAPSHOT = 7;

  private static final int CHECKSUM_BYTES = 4;
  private static final int QUOTA_BYTES = 6 * Long.BYTES;

  private PolicyCodec() {}

  /** Returns the bytes of a change, the payload of its entry. */
  public static ByteBuffer encode(PolicyChange change) {
    Output out = new Output();
    out.putByte(VERSION);
    switch (change.command()) {
      case PolicyCommand.Give(Grant grant) -> putGrant(GIVE, change.author(), grant, out);
      case PolicyCommand.Revoke(Grant grant) -> putGrant(REVOKE, change.author(), grant, out);
      case PolicyCommand.SetRole(AccessRole role) -> {
        begin(SET_ROLE, change.author(), out);
        put(role, out);
      }
      case PolicyCommand.RemoveRole(String name) -> {
        begin(REMOVE_ROLE, change.author(), out);
        out.putText(name);
      }
      case PolicyCommand.SetQuota(Subject subject, Quota quota) -> {
        begin(SET_QUOTA, change.author(), out);
        out.putText(subject.text());
        put(quota, out);
      }
      case PolicyCommand.RemoveQuota(Subject subject) -> {
        begin(REMOVE_QUOTA, change.author(), out);
        out.putText(subject.text());
      }
      case PolicyCommand.Snapshot(AccessPolicy whole) -> {
        begin(SNAPSHOT, change.author(), out);
        put(whole, out);
      }
    }
    return out.finish();
  }

  private static void begin(int kind, Identity author, Output out) {
    out.putByte(kind);
    out.putText(author.name());
  }

  private static void putGrant(int kind, Identity author, Grant grant, Output out) {
    begin(kind, author, out);
    put(grant, out);
  }

  private static void put(Grant grant, Output out) {
    out.putText(grant.subject().text());
    out.putByte(grant.permission().code());
    out.putText(grant.target().text());
  }

  private static void put(AccessRole role, Output out) {
    out.putText(role.name());
    out.putInt(role.members().size());
    role.members().forEach(member -> out.putText(member.text()));
  }

  private static void put(Quota quota, Output out) {
    out.putLong(quota.bytesPerSecond());
    out.putLong(quota.appendsPerSecond());
    out.putLong(quota.streams());
    out.putLong(quota.storedBytes());
    out.putLong(quota.subscriptions());
    out.putLong(quota.connections());
  }

  /**
   * Reads a change.
   *
   * @throws DamagedPolicyException if the bytes are no change
   * @throws UnknownPolicyFormatException if a later version of the program has written them
   */
  public static PolicyChange decodeChange(ByteBuffer bytes) {
    return read(
        bytes,
        in -> {
          int kind = in.getByte();
          if (kind < GIVE || kind > SNAPSHOT) {
            throw new UnknownPolicyFormatException(
                "this version of the program knows no change of the policy of kind %d; upgrade it"
                    .formatted(kind));
          }
          return new PolicyChange(new Identity(in.getText()), command(kind, in));
        });
  }

  private static PolicyCommand command(int kind, Input in) {
    return switch (kind) {
      case GIVE -> new PolicyCommand.Give(grant(in));
      case REVOKE -> new PolicyCommand.Revoke(grant(in));
      case SET_ROLE -> new PolicyCommand.SetRole(role(in));
      case REMOVE_ROLE -> new PolicyCommand.RemoveRole(in.getText());
      case SET_QUOTA -> new PolicyCommand.SetQuota(Subject.parse(in.getText()), quota(in));
      case REMOVE_QUOTA -> new PolicyCommand.RemoveQuota(Subject.parse(in.getText()));
      default -> new PolicyCommand.Snapshot(whole(in));
    };
  }

  private static Grant grant(Input in) {
    Subject subject = Subject.parse(in.getText());
    Permission permission = Permission.ofCode(in.getByte());
    String target = in.getText();
    return new Grant(
        subject,
        permission,
        permission.isForStreams() || !target.isEmpty() ? Target.parse(target) : Target.Whole.WHOLE);
  }

  private static AccessRole role(Input in) {
    String name = in.getText();
    int count = in.getCount(Short.BYTES);
    List<Subject> members = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      members.add(Subject.parse(in.getText()));
    }
    return new AccessRole(name, members);
  }

  private static Quota quota(Input in) {
    return new Quota(
        in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
  }

  static ByteBuffer encode(AccessPolicy policy) {
    Output out = new Output();
    out.putByte(VERSION);
    put(policy, out);
    return out.finish();
  }

  private static void put(AccessPolicy policy, Output out) {
    out.putLong(policy.version());
    out.putInt(policy.grants().size());
    policy.grants().forEach(grant -> put(grant, out));
    out.putInt(policy.roles().size());
    policy.roles().values().forEach(role -> put(role, out));
    out.putInt(policy.quotas().size());
    policy
        .quotas()
        .forEach(
            (subject, quota) -> {
              out.putText(subject.text());
              put(quota, out);
            });
  }

  static AccessPolicy decodePolicy(ByteBuffer bytes) {
    return read(bytes, PolicyCodec::whole);
  }

  private static AccessPolicy whole(Input in) {
    long version = in.getLong();
    Set<Grant> grants = new LinkedHashSet<>();
    for (int i = in.getCount(2 * Short.BYTES + 1); i > 0; i--) {
      grants.add(grant(in));
    }
    Map<String, AccessRole> roles = new LinkedHashMap<>();
    for (int i = in.getCount(Short.BYTES + Integer.BYTES); i > 0; i--) {
      AccessRole role = role(in);
      roles.put(role.name(), role);
    }
    Map<Subject, Quota> quotas = new LinkedHashMap<>();
    for (int i = in.getCount(Short.BYTES + QUOTA_BYTES); i > 0; i--) {
      quotas.put(Subject.parse(in.getText()), quota(in));
    }
    return new AccessPolicy(version, grants, roles, quotas);
  }

  private interface Reading<T> {
    T from(Input in);
  }

  private static <T> T read(ByteBuffer bytes, Reading<T> reading) {
    Input in = new Input(bytes);
    int version = in.getByte();
    if (version != VERSION) {
      throw new UnknownPolicyFormatException(
          "a policy of format %d, where this version of the program knows format %d; upgrade it"
              .formatted(version, VERSION));
    }
    T value;
    try {
      value = reading.from(in);
    } catch (IllegalArgumentException e) {
      throw new DamagedPolicyException("the bytes of the policy hold " + e.getMessage());
    }
    in.expectEnd();
    return value;
  }

  private static final class Output {
    private static final int FIRST_BYTES = 256;
    private ByteBuffer bytes = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private ByteBuffer room(int more) {
      if (bytes.remaining() < more) {
        int wanted = Math.max(2 * bytes.capacity(), bytes.position() + more);
        bytes = ByteBuffer.allocate(wanted).order(ByteOrder.LITTLE_ENDIAN).put(bytes.flip());
      }
      return bytes;
    }

    void putByte(int value) {
      room(1).put((byte) value);
    }

    void putInt(int value) {
      room(Integer.BYTES).putInt(value);
    }

    void putLong(long value) {
      room(Long.BYTES).putLong(value);
    }

    void putText(String text) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      room(Short.BYTES + utf8.length).putShort((short) utf8.length).put(utf8);
    }

    ByteBuffer finish() {
      int end = room(CHECKSUM_BYTES).position();
      bytes.putInt(checksum(bytes, end)).flip();
      return bytes.asReadOnlyBuffer();
    }
  }

  private static int checksum(ByteBuffer bytes, int end) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.slice(0, end));
    return (int) checksum.getValue();
  }

  private static final class Input {
    private final ByteBuffer bytes;

    Input(ByteBuffer given) {
      ByteBuffer all = given.slice().order(ByteOrder.LITTLE_ENDIAN);
      int end = all.limit() - CHECKSUM_BYTES;
      if (end < 1 || all.getInt(end) != checksum(all, end)) {
        throw new DamagedPolicyException(
            "the bytes of the policy do not match their checksum; they were not written by Corfu");
      }
      bytes = all.slice(0, end).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void need(int wanted) {
      if (bytes.remaining() < wanted) {
        throw new DamagedPolicyException("the bytes of the policy end too early");
      }
    }

    int getByte() {
      need(1);
      return Byte.toUnsignedInt(bytes.get());
    }

    long getLong() {
      need(Long.BYTES);
      return bytes.getLong();
    }

    int getCount(int minimumBytes) {
      need(Integer.BYTES);
      int count = bytes.getInt();
      if (count < 0 || (long) count * minimumBytes > bytes.remaining()) {
        throw new DamagedPolicyException(
            "the bytes of the policy claim %d things that they cannot hold".formatted(count));
      }
      return count;
    }

    String getText() {
      need(Short.BYTES);
      int length = Short.toUnsignedInt(bytes.getShort());
      need(length);
      ByteBuffer utf8 = bytes.slice(bytes.position(), length);
      bytes.position(bytes.position() + length);
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
      } catch (CharacterCodingException e) {
        throw new DamagedPolicyException("the bytes of the policy have a text that is not UTF-8");
      }
    }

    void expectEnd() {
      if (bytes.hasRemaining()) {
        throw new DamagedPolicyException("the bytes of the policy have more behind their end");
      }
    }
  }
}
