package corfu.nbd.internal.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations whose bytes were written after the protocol's document. */
class GoldenConversationTest {

  /** Some bytes of one side, and where they stand. */
  private record Turn(char side, String comment, byte[] bytes) {}

  private static List<Turn> read(String name) {
    List<Turn> turns = new ArrayList<>();
    try (InputStream in = GoldenConversationTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(in).as(name).isNotNull();
      for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        String[] parts = line.split("#", 2);
        String text = parts[0].strip();
        if (!text.isEmpty()) {
          String comment = parts.length > 1 ? parts[1].strip() : "";
          boolean isEnd = text.equals("END");
          byte[] bytes = isEnd ? new byte[0] : HexFormat.of().parseHex(text.substring(2).strip());
          turns.add(new Turn(text.charAt(0), comment, bytes));
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return turns;
  }

  @ParameterizedTest
  @ValueSource(strings = {"handshake", "export-name", "structured", "extended"})
  void theServerAnswersAsTheDocumentSays(String name) {
    converse(name, Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"handshake", "export-name", "structured", "extended"})
  void theBytesMayArriveOneByOne(String name) {
    converse(name, 1);
  }

  private static void converse(String name, int pieceBytes) {
    SessionStand stand = new SessionStand();
    ByteBuf sent = Unpooled.buffer();
    String last = "the beginning";
    for (Turn turn : read(name + ".txt")) {
      switch (turn.side()) {
        case 'C' -> {
          assertThat(ByteBufUtil.hexDump(sent)).as("%s: after %s", name, last).isEmpty();
          last = turn.comment().isEmpty() ? last : turn.comment();
          for (int at = 0; at < turn.bytes().length; at += pieceBytes) {
            int length = Math.min(pieceBytes, turn.bytes().length - at);
            stand.receive(Unpooled.wrappedBuffer(turn.bytes(), at, length));
            if (turn.bytes().length - at <= pieceBytes) {
              break;
            }
          }
        }
        case 'S' -> {
          sent.writeBytes(stand.takeSent());
          String expected = HexFormat.of().formatHex(turn.bytes());
          int length = Math.min(turn.bytes().length, sent.readableBytes());
          assertThat(ByteBufUtil.hexDump(sent.readSlice(length)))
              .as("%s: after %s, %s", name, last, turn.comment())
              .isEqualTo(expected);
        }
        default -> {
          sent.writeBytes(stand.takeSent());
          assertThat(ByteBufUtil.hexDump(sent)).as("%s: at the end", name).isEmpty();
          assertThat(stand.isClosed).isTrue();
        }
      }
      sent.writeBytes(stand.takeSent());
    }
    assertThat(stand.isClosed).as("%s ends with END", name).isTrue();
    stand.session.end();
    assertThat(stand.disk.openConnections()).isZero();
    assertThat(stand.past.openConnections()).isZero();
    assertThat(stand.budget.free()).isEqualTo(64 << 20);
  }
}
