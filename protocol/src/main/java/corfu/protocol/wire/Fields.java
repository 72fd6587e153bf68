package corfu.protocol.wire;

import corfu.protocol.AddressSet;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutJson;
import corfu.protocol.message.Health;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * The fields that several messages share.
 *
 * <pre>
 *   text          u32 length, UTF-8 bytes
 *   layout        text: its JSON
 *   cluster id    u8 present (0 or 1), if 1: u64 high half, u64 low half
 *   incarnation   u64; 0: none
 *   endpoint      text: host:port
 *   health        u8 log unit, u8 sequencer, u8 layout server, incarnation of the log unit, of the
 *                 layout server, text
 *   address set   u8 0: strided: u64 start, u64 stride, u32 count
 *                 u8 1: listed:  u32 count, then u64 each
 * </pre>
 */
final class Fields {

  private static final int STRIDED = 0;
  private static final int LISTED = 1;

  private Fields() {}

  static void putText(String text, WireWriter out) {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
    out.putInt(bytes.remaining());
    out.putBytes(bytes);
  }

  static void putBytes(ByteBuffer bytes, WireWriter out) {
    out.putInt(bytes.remaining());
    out.putBytes(bytes);
  }

  static void putLayout(Layout layout, WireWriter out) {
    putText(LayoutJson.compact(layout), out);
  }

  static Layout getLayout(WireReader in) {
    return LayoutJson.parse(in.getText());
  }

  static void putClusterId(Optional<ClusterId> id, WireWriter out) {
    out.putByte(id.isPresent() ? 1 : 0);
    id.ifPresent(
        present -> {
          out.putLong(present.value().getMostSignificantBits());
          out.putLong(present.value().getLeastSignificantBits());
        });
  }

  static Optional<ClusterId> getClusterId(WireReader in) {
    return getFlag(in)
        ? Optional.of(new ClusterId(new UUID(in.getLong(), in.getLong())))
        : Optional.empty();
  }

  static void putHealth(Health health, WireWriter out) {
    out.putByte(health.logUnit().code());
    out.putByte(health.sequencer().code());
    out.putByte(health.layoutServer().code());
    out.putLong(health.unit().value());
    out.putLong(health.acceptor().value());
    putText(health.detail(), out);
  }

  static Health getHealth(WireReader in) {
    return new Health(
        Health.State.ofCode(in.getByte()),
        Health.State.ofCode(in.getByte()),
        Health.State.ofCode(in.getByte()),
        new Incarnation(in.getLong()),
        new Incarnation(in.getLong()),
        in.getText());
  }

  static void putEndpoint(Endpoint endpoint, WireWriter out) {
    putText(endpoint.toString(), out);
  }

  static Endpoint getEndpoint(WireReader in) {
    return Endpoint.parse(in.getText());
  }

  static boolean getFlag(WireReader in) {
    int flag = in.getByte();
    if (flag > 1) {
      throw WireReader.malformed("has " + flag + " where 0 or 1 belongs");
    }
    return flag == 1;
  }

  static void putAddresses(AddressSet addresses, WireWriter out) {
    switch (addresses) {
      case AddressSet.Strided strided -> {
        out.putByte(STRIDED);
        out.putLong(strided.start());
        out.putLong(strided.stride());
        out.putInt(strided.count());
      }
      case AddressSet.Listed listed -> {
        out.putByte(LISTED);
        out.putInt(listed.count());
        listed.forEach(out::putLong);
      }
    }
  }

  static AddressSet getAddresses(WireReader in) {
    int kind = in.getByte();
    return switch (kind) {
      case STRIDED -> new AddressSet.Strided(in.getAddress(), in.getLong(), in.getNonNegativeInt());
      case LISTED -> {
        long[] addresses = new long[in.getCount(Long.BYTES)];
        for (int i = 0; i < addresses.length; i++) {
          addresses[i] = in.getAddress();
        }
        yield new AddressSet.Listed(addresses);
      }
      default -> throw WireReader.malformed("has an address set of unknown kind " + kind);
    };
  }
}
