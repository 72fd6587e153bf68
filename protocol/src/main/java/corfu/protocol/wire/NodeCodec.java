package corfu.protocol.wire;

import corfu.protocol.Identity;
import corfu.protocol.TokenKey;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.QuotaUse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The bodies of servers' requests and replies about themselves. */
final class NodeCodec {

  /** The least size of the use of one identity: a text, four longs, and three integers. */
  private static final int LEAST_USE_BYTES = 4 * Long.BYTES + 4 * Integer.BYTES;

  private NodeCodec() {}

  static MessageType encode(NodeRequest request, WireWriter out) {
    return switch (request) {
      case NodeRequest.Hello hello -> {
        out.putShort(hello.oldestVersion());
        out.putShort(hello.newestVersion());
        Fields.putClusterId(hello.cluster(), out);
        yield MessageType.HELLO;
      }
      case NodeRequest.AskStatus ask -> MessageType.ASK_STATUS;
      case NodeRequest.AskNames ask -> MessageType.ASK_NAMES;
      case NodeRequest.Introduce introduce -> {
        out.putInt(introduce.names().size());
        introduce.names().forEach(name -> Fields.putText(name, out));
        yield MessageType.INTRODUCE;
      }
      case NodeRequest.Settle settle -> {
        Fields.putAddresses(settle.addresses(), out);
        yield MessageType.SETTLE;
      }
      case NodeRequest.SettleStreams settle -> {
        StreamFields.putAll(settle.streams(), StreamFields::putStream, out);
        yield MessageType.SETTLE_STREAMS;
      }
      case NodeRequest.AskAccess ask -> MessageType.ASK_ACCESS;
      case NodeRequest.AskTokenKey ask -> MessageType.ASK_TOKEN_KEY;
      case NodeRequest.AskQuotas ask -> MessageType.ASK_QUOTAS;
    };
  }

  static MessageType encode(NodeReply reply, WireWriter out) {
    return switch (reply) {
      case NodeReply.Welcome welcome -> {
        out.putShort(welcome.version());
        Fields.putClusterId(welcome.cluster(), out);
        Fields.putText(welcome.server(), out);
        yield MessageType.WELCOME;
      }
      case NodeReply.Status status -> {
        Fields.putText(status.server(), out);
        Fields.putClusterId(status.cluster(), out);
        out.putLong(status.epoch().value());
        out.putInt(status.roles().size());
        status.roles().forEach(role -> Fields.putText(role, out));
        Fields.putHealth(status.health(), out);
        out.putInt(status.rebuilds().size());
        status.rebuilds().forEach(rebuild -> putRebuild(rebuild, out));
        yield MessageType.STATUS;
      }
      case NodeReply.Names names -> {
        out.putInt(names.servers().size());
        for (NodeReply.Named named : names.servers()) {
          Fields.putEndpoint(named.server(), out);
          Fields.putText(named.name(), out);
        }
        yield MessageType.NAMES;
      }
      case NodeReply.Access access -> {
        out.putLong(access.version());
        out.putLong(access.ageMillis());
        out.putByte(access.isEnforced() ? 1 : 0);
        yield MessageType.ACCESS;
      }
      case NodeReply.SealingKey sealing -> {
        out.putByte(sealing.key().isPresent() ? 1 : 0);
        sealing.key().ifPresent(key -> putKey(key, out));
        yield MessageType.TOKEN_KEY;
      }
      case NodeReply.Quotas quotas -> {
        out.putInt(quotas.uses().size());
        quotas.uses().forEach(use -> putUse(use, out));
        yield MessageType.QUOTAS;
      }
    };
  }

  static Message decode(MessageType type, WireReader in) {
    return switch (type) {
      case HELLO -> new NodeRequest.Hello(in.getShort(), in.getShort(), Fields.getClusterId(in));
      case ASK_STATUS -> new NodeRequest.AskStatus();
      case WELCOME -> new NodeReply.Welcome(in.getShort(), Fields.getClusterId(in), in.getText());
      case STATUS ->
          new NodeReply.Status(
              in.getText(),
              Fields.getClusterId(in),
              in.getEpoch(),
              decodeTexts(in),
              Fields.getHealth(in),
              decodeRebuilds(in));
      case ASK_NAMES -> new NodeRequest.AskNames();
      case NAMES -> new NodeReply.Names(decodeNames(in));
      case INTRODUCE -> new NodeRequest.Introduce(decodeTexts(in));
      case SETTLE -> new NodeRequest.Settle(Fields.getAddresses(in));
      case SETTLE_STREAMS ->
          new NodeRequest.SettleStreams(
              StreamFields.getAll(StreamFields.STREAM_BYTES, StreamFields::getStream, in));
      case ASK_ACCESS -> new NodeRequest.AskAccess();
      case ACCESS ->
          new NodeReply.Access(in.getAddress(), in.getNonNegativeLong(), Fields.getFlag(in));
      case ASK_TOKEN_KEY -> new NodeRequest.AskTokenKey();
      case TOKEN_KEY ->
          new NodeReply.SealingKey(
              Fields.getFlag(in) ? Optional.of(decodeKey(in)) : Optional.empty());
      case ASK_QUOTAS -> new NodeRequest.AskQuotas();
      case QUOTAS -> new NodeReply.Quotas(decodeUses(in));
      default -> throw FrameCodec.notMine(type);
    };
  }

  private static void putKey(TokenKey key, WireWriter out) {
    out.putLong(key.id());
    out.putBytes(ByteBuffer.wrap(key.secret()));
  }

  private static TokenKey decodeKey(WireReader in) {
    long id = in.getLong();
    ByteBuffer secret = ByteBuffer.allocate(TokenKey.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (secret.hasRemaining()) {
      secret.putLong(in.getLong());
    }
    return new TokenKey(id, secret.array());
  }

  private static List<NodeReply.Named> decodeNames(WireReader in) {
    int count = in.getCount(2 * Integer.BYTES);
    List<NodeReply.Named> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      names.add(new NodeReply.Named(Fields.getEndpoint(in), in.getText()));
    }
    return names;
  }

  private static void putRebuild(NodeReply.Rebuild rebuild, WireWriter out) {
    out.putLong(rebuild.start());
    out.putLong(rebuild.end());
    out.putLong(rebuild.copiedTo());
    out.putLong(rebuild.bytes());
    out.putLong(rebuild.elapsedMillis());
  }

  private static List<NodeReply.Rebuild> decodeRebuilds(WireReader in) {
    int count = in.getCount(5 * Long.BYTES);
    List<NodeReply.Rebuild> rebuilds = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rebuilds.add(
          new NodeReply.Rebuild(
              in.getAddress(),
              in.getAddress(),
              in.getAddress(),
              in.getNonNegativeLong(),
              in.getNonNegativeLong()));
    }
    return rebuilds;
  }

  private static void putUse(QuotaUse use, WireWriter out) {
    Fields.putText(use.identity().name(), out);
    out.putLong(use.appendsPerSecond());
    out.putLong(use.bytesPerSecond());
    out.putLong(use.storedBytes());
    out.putLong(use.streams());
    out.putInt(use.subscriptions());
    out.putInt(use.connections());
    out.putInt(use.sample().size());
    use.sample().forEach(out::putLong);
  }

  private static List<QuotaUse> decodeUses(WireReader in) {
    int count = in.getCount(LEAST_USE_BYTES);
    List<QuotaUse> uses = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Identity identity = new Identity(in.getText());
      long appends = in.getNonNegativeLong();
      long bytes = in.getNonNegativeLong();
      long stored = in.getNonNegativeLong();
      long streams = in.getNonNegativeLong();
      int subscriptions = in.getNonNegativeInt();
      int connections = in.getNonNegativeInt();
      uses.add(
          new QuotaUse(
              identity,
              appends,
              bytes,
              stored,
              streams,
              decodeSample(in),
              subscriptions,
              connections));
    }
    return uses;
  }

  private static List<Long> decodeSample(WireReader in) {
    int count = in.getCount(Long.BYTES);
    List<Long> sample = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sample.add(in.getLong());
    }
    return sample;
  }

  private static List<String> decodeTexts(WireReader in) {
    int count = in.getCount(Integer.BYTES);
    List<String> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      texts.add(in.getText());
    }
    return texts;
  }
}
