package corfu.zookeeper.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CommandCodecTest {

  private static final Origin ORIGIN = new Origin(0x1122334455667788L, 2);

  static List<NamespaceCommand> commands() {
    ByteBuffer body = ByteBuffer.wrap(new byte[] {1, 2, 3});
    return List.of(
        new RegisterServer(7, "host:2181"),
        new RegisterServer(-7, "hôte:1"),
        new Vouch(3, List.of()),
        new Vouch(3, List.of(new VouchedSession(5, 6), new VouchedSession(-5, 0))),
        new RemoveServer(3, 4),
        new CreateSession(ORIGIN, 5, 30_000, 99),
        new AttachSession(ORIGIN, 5, 30_000),
        new ExpireSession(5, 6, 7),
        new DeleteUnused("/a/ü", 8, 9, 10),
        new ClientRequest(ORIGIN, 1, 2, 3, 4, 5, 6, List.of(), ByteBuffer.allocate(0)),
        new ClientRequest(
            ORIGIN, 1, 2, 3, 4, 5, 6, List.of(new Id("ip", "::1"), new Id("digest", "")), body));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandIsDecodedAsItWas(NamespaceCommand command) {
    assertThat(CommandCodec.decode(CommandCodec.encode(command))).isEqualTo(command);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandThatIsCutIsRefused(NamespaceCommand command) {
    byte[] encoded = bytes(CommandCodec.encode(command));
    int body = command instanceof ClientRequest request ? request.body().remaining() : 0;
    for (int length = 0; length < encoded.length - body; length++) {
      ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(encoded, length));
      assertThatThrownBy(() -> CommandCodec.decode(cut))
          .as("%d of %d bytes", length, encoded.length)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void damagedBytesAreACommandOrRefused(NamespaceCommand command) {
    byte[] encoded = bytes(CommandCodec.encode(command));
    Random random = new Random(encoded.length);
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = encoded.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        assertThat(CommandCodec.decode(ByteBuffer.wrap(damaged))).isNotNull();
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageContaining("command");
      }
    }
  }

  /** The bytes are in logs, so they never change. */
  @Test
  void theBytesStayTheSame() {
    assertThat(hex(new RegisterServer(7, "h:1")))
        .isEqualTo("01" + "0000000000000007" + "00000003683a31");
    assertThat(hex(new Vouch(3, List.of(new VouchedSession(5, 6)))))
        .isEqualTo("02" + "00000003" + "00000001" + "0000000000000005" + "00000006");
    assertThat(hex(new RemoveServer(3, 4))).isEqualTo("03" + "00000003" + "0000000000000004");
    assertThat(hex(new CreateSession(ORIGIN, 5, 6, 7)))
        .isEqualTo(
            "04"
                + "1122334455667788"
                + "0000000000000002"
                + "0000000000000005"
                + "00000006"
                + "0000000000000007");
    assertThat(hex(new AttachSession(ORIGIN, 5, 6)))
        .isEqualTo(
            "05" + "1122334455667788" + "0000000000000002" + "0000000000000005" + "00000006");
    assertThat(hex(new ExpireSession(5, 6, 7)))
        .isEqualTo("06" + "0000000000000005" + "0000000000000006" + "0000000000000007");
    assertThat(hex(new DeleteUnused("/a", 8, 9, 10)))
        .isEqualTo(
            "07"
                + "00000002"
                + "2f61"
                + "0000000000000008"
                + "0000000000000009"
                + "000000000000000a");
    assertThat(
            hex(
                new ClientRequest(
                    ORIGIN,
                    1,
                    2,
                    3,
                    4,
                    5,
                    6,
                    List.of(new Id("ip", "x")),
                    ByteBuffer.wrap(new byte[] {9}))))
        .isEqualTo(
            "08"
                + "1122334455667788"
                + "0000000000000002"
                + "0000000000000001"
                + "0000000000000002"
                + "0000000000000003"
                + "00000004"
                + "00000005"
                + "0000000000000006"
                + "00000001"
                + "000000026970"
                + "0000000178"
                + "09");
  }

  private static String hex(NamespaceCommand command) {
    return HexFormat.of().formatHex(bytes(CommandCodec.encode(command)));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
