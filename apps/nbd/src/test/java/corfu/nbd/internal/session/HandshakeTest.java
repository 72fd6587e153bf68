package corfu.nbd.internal.session;

import static corfu.nbd.internal.protocol.NbdNumbers.INFO_BLOCK_SIZE;
import static corfu.nbd.internal.protocol.NbdNumbers.INFO_DESCRIPTION;
import static corfu.nbd.internal.protocol.NbdNumbers.INFO_NAME;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_ABORT;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_EXPORT_NAME;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_EXTENDED_HEADERS;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_GO;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_INFO;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_LIST;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_LIST_META_CONTEXT;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_SET_META_CONTEXT;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_STARTTLS;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_STRUCTURED_REPLY;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ACK;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_INVALID;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_POLICY;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_SHUTDOWN;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_TLS_REQD;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_TOO_BIG;
import static corfu.nbd.testing.ClientBytes.flags;
import static corfu.nbd.testing.ClientBytes.go;
import static corfu.nbd.testing.ClientBytes.option;
import static corfu.nbd.testing.ClientBytes.optionHeader;
import static corfu.nbd.testing.ClientBytes.usualFlags;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.ExportDescription;
import corfu.nbd.Exports;
import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.testing.ClientBytes;
import corfu.nbd.testing.MemoryDevice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandshakeTest {

  /** Sends an option, and returns the type of the last reply. */
  private static int answer(SessionStand stand, ByteBuf option) {
    stand.takeSent();
    stand.receive(option);
    ByteBuf sent = stand.takeSent();
    int type = 0;
    while (sent.isReadable()) {
      sent.skipBytes(12);
      type = sent.readInt();
      sent.skipBytes(sent.readInt());
    }
    return type;
  }

  private static SessionStand greeted(TlsNeed tls) {
    SessionStand stand = new SessionStand(tls);
    stand.receive(usualFlags());
    return stand;
  }

  @Test
  void anUnknownClientFlagEndsTheConnection() {
    SessionStand stand = new SessionStand();
    stand.receive(flags(1 << 5));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void garbageInsteadOfAnOptionEndsTheConnection() {
    SessionStand stand = greeted(TlsNeed.OFF);
    stand.receive(Unpooled.wrappedBuffer("GET / HTTP/1.1\r\n".getBytes(UTF_8)));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void aLongOptionIsReadOverAndAVeryLongOneEndsTheConnection() {
    SessionStand stand = greeted(TlsNeed.OFF);
    assertThat(answer(stand, option(77, Unpooled.buffer().writeZero(100_000))))
        .isEqualTo(REP_ERR_TOO_BIG);
    assertThat(answer(stand, option(OPT_LIST))).isEqualTo(REP_ACK);
    stand.receive(optionHeader(77, 1 << 21));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void aNameOfMoreThan4096BytesIsInvalid() {
    SessionStand stand = greeted(TlsNeed.OFF);
    assertThat(answer(stand, go("x".repeat(4097)))).isEqualTo(REP_ERR_INVALID);
    stand.receive(
        option(OPT_EXPORT_NAME, Unpooled.wrappedBuffer("x".repeat(4097).getBytes(UTF_8))));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void aNameThatIsNoUtf8OrContainsNulIsInvalid() {
    SessionStand stand = greeted(TlsNeed.OFF);
    ByteBuf noUtf8 = Unpooled.buffer().writeInt(1).writeByte(0xff).writeShort(0);
    assertThat(answer(stand, option(OPT_GO, noUtf8))).isEqualTo(REP_ERR_INVALID);
    assertThat(answer(stand, go("a\0b"))).isEqualTo(REP_ERR_INVALID);
  }

  @Test
  void exportNameOfAnUnknownExportEndsTheConnection() {
    SessionStand stand = greeted(TlsNeed.OFF);
    stand.receive(option(OPT_EXPORT_NAME, Unpooled.wrappedBuffer("none".getBytes(UTF_8))));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void exportNameIsNoWayIntoExtendedHeaders() {
    SessionStand stand = greeted(TlsNeed.OFF);
    assertThat(answer(stand, option(OPT_EXTENDED_HEADERS))).isEqualTo(REP_ACK);
    stand.receive(option(OPT_EXPORT_NAME, Unpooled.wrappedBuffer("disk".getBytes(UTF_8))));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void abortIsAnsweredAlsoWithDataAndEndsTheConnection() {
    SessionStand stand = greeted(TlsNeed.REQUIRED);
    assertThat(answer(stand, option(OPT_ABORT, Unpooled.buffer().writeInt(7)))).isEqualTo(REP_ACK);
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void contextsOfAnotherExportDoNotCount() {
    SessionStand stand = greeted(TlsNeed.OFF);
    assertThat(answer(stand, option(OPT_STRUCTURED_REPLY))).isEqualTo(REP_ACK);
    ByteBuf choice = ClientBytes.contexts(OPT_SET_META_CONTEXT, "past", MemoryDevice.ALLOCATION);
    assertThat(answer(stand, choice)).isEqualTo(REP_ACK);
    assertThat(answer(stand, go("disk"))).isEqualTo(REP_ACK);
    stand.receive(ClientBytes.request(NbdCommand.BLOCK_STATUS, 0, 1, 0, 4096));
    ByteBuf reply = stand.takeSent();
    assertThat(reply.getUnsignedShort(6)).as("an error chunk").isEqualTo(0x8001);
    assertThat(reply.getInt(20)).as("EINVAL").isEqualTo(22);
    assertThat(stand.past.openConnections()).isZero();
  }

  @Test
  void theContextsStayChosenWhileTheClientLooksAtOtherExports() {
    SessionStand stand = greeted(TlsNeed.OFF);
    assertThat(answer(stand, option(OPT_STRUCTURED_REPLY))).isEqualTo(REP_ACK);
    ByteBuf choice = ClientBytes.contexts(OPT_SET_META_CONTEXT, "disk", MemoryDevice.ALLOCATION);
    assertThat(answer(stand, choice)).isEqualTo(REP_ACK);
    assertThat(answer(stand, ClientBytes.inform(OPT_INFO, "past"))).isEqualTo(REP_ACK);
    ByteBuf listing = ClientBytes.contexts(OPT_LIST_META_CONTEXT, "past");
    assertThat(answer(stand, listing)).isEqualTo(REP_ACK);
    assertThat(answer(stand, go("disk"))).isEqualTo(REP_ACK);
    stand.receive(ClientBytes.request(NbdCommand.BLOCK_STATUS, 0, 1, 0, 4096));
    assertThat(stand.takeSent().getUnsignedShort(6)).as("a chunk of status").isEqualTo(5);
  }

  /** Exports that only another server may open. */
  private record ForeignExports(MemoryDevice device) implements Exports {

    @Override
    public CompletableFuture<List<String>> names() {
      return CompletableFuture.completedFuture(List.of("disk"));
    }

    @Override
    public CompletableFuture<ExportDescription> describe(String name) {
      return CompletableFuture.completedFuture(device.description());
    }

    @Override
    public CompletableFuture<BlockDevice> open(String name) {
      return CompletableFuture.failedFuture(
          new BlockDeviceException(Reason.NOT_PERMITTED, "another server has it"));
    }
  }

  private static SessionStand foreign() {
    Exports exports = new ForeignExports(new MemoryDevice(SessionStand.SIZE));
    SessionStand stand = new SessionStand(TlsNeed.OFF, exports, new SessionBounds(16, 1 << 20));
    stand.receive(usualFlags());
    return stand;
  }

  @Test
  void onlyGoAndExportNameOpenAnExport() {
    SessionStand stand = foreign();
    assertThat(answer(stand, option(OPT_STRUCTURED_REPLY))).isEqualTo(REP_ACK);
    assertThat(answer(stand, ClientBytes.inform(OPT_INFO, "disk"))).isEqualTo(REP_ACK);
    ByteBuf listing = ClientBytes.contexts(OPT_LIST_META_CONTEXT, "disk");
    assertThat(answer(stand, listing)).isEqualTo(REP_ACK);
    ByteBuf choice = ClientBytes.contexts(OPT_SET_META_CONTEXT, "disk", MemoryDevice.ALLOCATION);
    assertThat(answer(stand, choice)).isEqualTo(REP_ACK);

    assertThat(stand.log.lines()).isEmpty();
    assertThat(answer(stand, go("disk"))).isEqualTo(REP_ERR_POLICY);
    assertThat(stand.log.lines())
        .containsExactly("WARN refused NBD client a test its export: another server has it");
    assertThat(answer(stand, ClientBytes.inform(OPT_INFO, "disk"))).isEqualTo(REP_ACK);
    stand.receive(option(OPT_EXPORT_NAME, Unpooled.wrappedBuffer("disk".getBytes(UTF_8))));
    assertThat(stand.isClosed).isTrue();
  }

  /** Returns all that the server replies to INFO or GO, without the number of the option. */
  private static String told(SessionStand stand, int option, String export) {
    stand.takeSent();
    stand.receive(ClientBytes.inform(option, export, INFO_NAME, INFO_DESCRIPTION, INFO_BLOCK_SIZE));
    ByteBuf sent = stand.takeSent();
    StringBuilder told = new StringBuilder();
    while (sent.isReadable()) {
      sent.skipBytes(8);
      assertThat(sent.readInt()).isEqualTo(option);
      told.append("%x ".formatted(sent.readInt()));
      told.append(ByteBufUtil.hexDump(sent.readSlice(sent.readInt()))).append('\n');
    }
    return told.toString();
  }

  @ParameterizedTest
  @CsvSource({
    OPT_STRUCTURED_REPLY + ",disk",
    OPT_STRUCTURED_REPLY + ",past",
    OPT_EXTENDED_HEADERS + ",disk",
    OPT_EXTENDED_HEADERS + ",past"
  })
  void infoTellsTheSameAsGo(int style, String export) {
    SessionStand stand = greeted(TlsNeed.OFF);
    assertThat(answer(stand, option(style))).isEqualTo(REP_ACK);
    ByteBuf choice = ClientBytes.contexts(OPT_SET_META_CONTEXT, export, MemoryDevice.ALLOCATION);
    assertThat(answer(stand, choice)).isEqualTo(REP_ACK);
    String info = told(stand, OPT_INFO, export);
    assertThat(info.lines()).hasSize(5);
    assertThat(told(stand, OPT_GO, export)).isEqualTo(info);
    assertThat(stand.disk.openConnections() + stand.past.openConnections()).isOne();
    stand.session.end();
    assertThat(stand.disk.openConnections() + stand.past.openConnections()).isZero();
  }

  @Test
  void withoutRequiredTlsNothingIsTold() {
    SessionStand stand = greeted(TlsNeed.REQUIRED);
    assertThat(answer(stand, option(OPT_LIST))).isEqualTo(REP_ERR_TLS_REQD);
    assertThat(answer(stand, go("disk"))).isEqualTo(REP_ERR_TLS_REQD);
    assertThat(answer(stand, option(12345))).isEqualTo(REP_ERR_TLS_REQD);
    ByteBuf tooLong = option(OPT_LIST, Unpooled.buffer().writeZero(100_000));
    assertThat(answer(stand, tooLong)).isEqualTo(REP_ERR_TLS_REQD);
    stand.receive(option(OPT_EXPORT_NAME, Unpooled.wrappedBuffer("disk".getBytes(UTF_8))));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void startTlsForgetsWhatWasNegotiatedAndWhatFollowedInTheClear() {
    SessionStand stand = greeted(TlsNeed.OPTIONAL);
    assertThat(answer(stand, option(OPT_STRUCTURED_REPLY))).isEqualTo(REP_ACK);
    ByteBuf injected = Unpooled.wrappedBuffer(option(OPT_STARTTLS), go("disk"));
    assertThat(answer(stand, injected)).isEqualTo(REP_ACK);
    assertThat(stand.isTlsStarted).isTrue();
    assertThat(stand.disk.openConnections()).isZero();

    stand.isTlsStarted = false;
    stand.session.secured();
    assertThat(answer(stand, option(OPT_STARTTLS))).isEqualTo(REP_ERR_INVALID);
    ByteBuf choice = ClientBytes.contexts(OPT_SET_META_CONTEXT, "disk", MemoryDevice.ALLOCATION);
    assertThat(answer(stand, choice))
        .as("structured replies are forgotten")
        .isEqualTo(REP_ERR_INVALID);
    assertThat(answer(stand, go("disk"))).isEqualTo(REP_ACK);
  }

  @Test
  void startTlsNeedsTheFixedHandshake() {
    SessionStand stand = new SessionStand(TlsNeed.OPTIONAL);
    stand.receive(flags(0));
    assertThat(answer(stand, option(OPT_STARTTLS))).isEqualTo(REP_ERR_INVALID);
  }

  /** Exports whose devices open when the test says so. */
  private record LateExports(CompletableFuture<BlockDevice> opening) implements Exports {

    @Override
    public CompletableFuture<List<String>> names() {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<ExportDescription> describe(String name) {
      return opening.thenApply(device -> device);
    }

    @Override
    public CompletableFuture<BlockDevice> open(String name) {
      return opening;
    }
  }

  @Test
  void bytesBehindAnOptionWaitForItsReply() {
    CompletableFuture<BlockDevice> opening = new CompletableFuture<>();
    SessionStand stand =
        new SessionStand(TlsNeed.OFF, new LateExports(opening), new SessionBounds(16, 1 << 20));
    stand.receive(ClientBytes.begin("disk"));
    stand.takeSent();
    stand.receive(ClientBytes.request(NbdCommand.FLUSH, 0, 9, 0, 0));
    assertThat(stand.takeSent().isReadable()).isFalse();
    assertThat(stand.session.isBlocked()).isTrue();

    opening.complete(stand.disk.connection());
    ByteBuf sent = stand.takeSent();
    assertThat(sent.getInt(sent.writerIndex() - 16)).isEqualTo(0x67446698);
    assertThat(stand.disk.flushes()).isOne();
  }

  @Test
  void aDeviceThatOpensAfterItsClientHasGoneIsGivenBack() {
    CompletableFuture<BlockDevice> opening = new CompletableFuture<>();
    SessionStand stand =
        new SessionStand(TlsNeed.OFF, new LateExports(opening), new SessionBounds(16, 1 << 20));
    stand.receive(ClientBytes.begin("disk"));
    stand.session.end();
    opening.complete(stand.disk.connection());
    assertThat(stand.disk.openConnections()).isZero();
  }

  @Test
  void aStoppingServerRefusesTheOptionInFlightsSuccessors() {
    CompletableFuture<BlockDevice> opening = new CompletableFuture<>();
    SessionStand stand =
        new SessionStand(TlsNeed.OFF, new LateExports(opening), new SessionBounds(16, 1 << 20));
    stand.receive(Unpooled.wrappedBuffer(usualFlags(), ClientBytes.contexts(9, "a")));
    stand.receive(option(OPT_STRUCTURED_REPLY));
    stand.receive(ClientBytes.contexts(9, "a"));
    stand.session.stop();
    assertThat(stand.isClosed).isFalse();
    opening.complete(stand.disk.connection());
    assertThat(answer(stand, option(OPT_LIST))).isEqualTo(REP_ERR_SHUTDOWN);
    assertThat(answer(stand, option(OPT_ABORT))).isEqualTo(REP_ACK);
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void aStoppingServerClosesConnectionsThatNegotiateNothing() {
    SessionStand stand = greeted(TlsNeed.OFF);
    stand.session.stop();
    assertThat(stand.isClosed).isTrue();
  }
}
