package corfu.transport.tcp;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.ReadOutcome.Found;
import corfu.protocol.message.LogUnitReply.Reads;
import corfu.protocol.message.LogUnitRequest.Write;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeRequest.AskStatus;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply.Tokens;
import corfu.protocol.message.SequencerRequest.Next;
import corfu.protocol.message.SequencerRequest.Seal;
import corfu.protocol.wire.Frame;
import corfu.transport.ClientOptions;
import corfu.transport.EventuallyAnswering;
import corfu.transport.Peer;
import corfu.transport.RequestHandler;
import corfu.transport.ScriptedServer;
import corfu.transport.UnreachableException;
import corfu.world.RealWorld;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hostile bytes get an answer where one is possible, and a closed connection. Other clients notice
 * nothing.
 */
@Timeout(180)
class HostileClientTest {

  private static final long LONG = TimeUnit.SECONDS.toNanos(60);
  private static final Epoch EPOCH = new Epoch(1);
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final Limits LIMITS = new Limits(1 << 20, 2 << 20, 100);

  private final RealWorld world = new RealWorld();
  private final List<Runnable> closing = new ArrayList<>();
  private TcpServer server;
  private Peer wellBehaved;
  private EventuallyAnswering answering;

  @BeforeEach
  void serveAsUsual() {
    serve(
        new ScriptedServer((request, reply) -> reply.accept(new Tokens(1, 1))),
        new TcpServerOptions(LIMITS, 64, 64, 1 << 20, 1 << 20, 64 << 20, Duration.ofSeconds(20)));
  }

  private void serve(RequestHandler handler, TcpServerOptions options) {
    var answers = new EventuallyAnswering(handler);
    answering = answers;
    var fresh = TcpServer.bind(world, "127.0.0.1", 0, options);
    fresh.serve(answers);
    var transport = TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT);
    closing.add(
        () -> {
          transport.close();
          fresh.stop();
          fresh.loop().execute(answers::answerTheRest);
          fresh.close();
        });
    server = fresh;
    wellBehaved = transport.peer(fresh.endpoint());
    assertThat(welcomed(wellBehaved)).isNotNull();
  }

  /** Repeats the greeting, because a slow client may be disconnected. */
  private Reply welcomed(Peer peer) {
    return eventually(
            () -> {
              try {
                return Optional.of(peer.call(new AskStatus(), LONG));
              } catch (UnreachableException sentAway) {
                return Optional.<Reply>empty();
              }
            },
            reply -> assertThat(reply).isPresent())
        .orElseThrow();
  }

  @AfterEach
  void nobodyElseNoticedAndNoBufferIsLeft() {
    assertThat(wellBehaved.call(new AskStatus(), LONG)).isNotNull();
    closing.forEach(Runnable::run);
    world.close();
    assertThat(UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isZero();
  }

  private RawClient client() throws IOException {
    return new RawClient(server.endpoint());
  }

  private static byte[] next(long requestId) {
    return RawClient.bytes(new Next(EPOCH, 1), requestId);
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void assertRefused(RawClient client, long requestId, Failure.Cause cause)
      throws IOException {
    Frame reply = client.receive();
    assertThat(reply.requestId()).isEqualTo(requestId);
    assertThat(reply.message())
        .isInstanceOfSatisfying(
            Failure.Refused.class, refused -> assertThat(refused.cause()).isEqualTo(cause));
    assertThat(client.isClosedByServer()).isTrue();
  }

  @Test
  void aRequestBeforeHelloIsRefused() throws IOException {
    try (RawClient client = client()) {
      client.send(next(7));
      assertRefused(client, 7, Failure.Cause.MALFORMED);
    }
  }

  @Test
  void aReplyWhereARequestBelongsIsRefused() throws IOException {
    try (RawClient client = client().greet()) {
      client.send(RawClient.bytes(Reply.Done.DONE, 8));
      assertRefused(client, 8, Failure.Cause.MALFORMED);
    }
  }

  @Test
  void anUnknownTypeIsRefused() throws IOException {
    byte[] frame = next(9);
    littleEndian(frame).putShort(4, (short) 0x7fff);
    try (RawClient client = client().greet()) {
      client.send(frame);
      assertRefused(client, 9, Failure.Cause.UNKNOWN_TYPE);
    }
  }

  @Test
  void anUnknownVersionIsRefused() throws IOException {
    byte[] frame = next(10);
    littleEndian(frame).putShort(6, (short) 99);
    try (RawClient client = client().greet()) {
      client.send(frame);
      assertRefused(client, 10, Failure.Cause.UNSUPPORTED_VERSION);
    }
  }

  @Test
  void aFrameAboveTheLimitIsRefusedBeforeItsBytesCome() throws IOException {
    byte[] frame = next(11);
    littleEndian(frame).putInt(0, LIMITS.maxFrameBytes() + 1);
    try (RawClient client = client().greet()) {
      client.send(frame);
      assertRefused(client, 11, Failure.Cause.TOO_LARGE);
    }
  }

  @Test
  void aFrameThatClaimsToBeShorterThanItsHeaderIsRefused() throws IOException {
    for (int length : new int[] {0, 23, -1, Integer.MIN_VALUE}) {
      byte[] frame = next(12);
      littleEndian(frame).putInt(0, length);
      try (RawClient client = client().greet()) {
        client.send(frame);
        assertRefused(client, 12, Failure.Cause.MALFORMED);
      }
    }
  }

  @Test
  void aBodyThatIsTooLongOrTooShortIsRefused() throws IOException {
    for (int length : new int[] {24, 27, 29, 40}) {
      byte[] frame = Arrays.copyOf(next(13), length);
      littleEndian(frame).putInt(0, length);
      try (RawClient client = client().greet()) {
        client.send(frame);
        assertRefused(client, 13, Failure.Cause.MALFORMED);
      }
    }
  }

  @Test
  void aFrameThatWasChangedOnItsWayIsNotTakenAndRefusesNoRequest() throws IOException {
    List<Request> taken = new CopyOnWriteArrayList<>();
    serve(
        new ScriptedServer(
            (request, reply) -> {
              taken.add(request);
              reply.accept(new Tokens(1, 1));
            }),
        new TcpServerOptions(LIMITS, 64, 64, 1 << 20, 1 << 20, 64 << 20, Duration.ofSeconds(20)));
    byte[] seal = RawClient.bytes(new Seal(EPOCH), 14, 2);

    for (int at = 0; at < seal.length; at++) {
      byte[] changed = seal.clone();
      changed[at] ^= (byte) (1 << at % 8);
      try (RawClient client = client().greet(2)) {
        client.send(changed);
        Frame refused = client.receive();
        assertThat(refused.requestId()).as("byte %s", at).isZero();
        assertThat(refused.version()).isEqualTo(2);
        assertThat(refused.message()).isInstanceOf(Failure.Refused.class);
        assertThat(client.isClosedByServer()).isTrue();
      }
    }
    assertThat(taken).isEmpty();
  }

  @Test
  void aSoundFrameThatDoesNotBelongThereIsRefusedUnderItsId() throws IOException {
    byte[] frame = RawClient.bytes(Reply.Done.DONE, 15, 2);
    try (RawClient client = client().greet(2)) {
      client.send(frame);
      assertRefused(client, 15, Failure.Cause.MALFORMED);
    }
  }

  @Test
  void aFrameOfAnotherVersionThanWasAgreedOnIsRefused() throws IOException {
    try (RawClient client = client().greet(2)) {
      client.send(next(16));
      assertRefused(client, 16, Failure.Cause.UNSUPPORTED_VERSION);
    }
    try (RawClient client = client().greet(1)) {
      client.send(RawClient.bytes(new Next(EPOCH, 1), 17, 2));
      assertRefused(client, 17, Failure.Cause.UNSUPPORTED_VERSION);
    }
  }

  @Test
  void clientsOfBothVersionsAreServed() throws IOException {
    for (int version = 1; version <= 2; version++) {
      try (RawClient client = client().greet(version)) {
        client.send(RawClient.bytes(new Next(EPOCH, 1), 18, version));
        Frame reply = client.receive();
        assertThat(reply).isEqualTo(new Frame(18, version, new Tokens(1, 1)));
      }
    }
  }

  @Test
  void serversOfBothVersionsAreUnderstood() {
    for (int version = 1; version <= 2; version++) {
      serve(
          new ScriptedServer((request, reply) -> reply.accept(new Tokens(7, 1)))
              .speakingUpTo(version),
          new TcpServerOptions(LIMITS, 64, 64, 1 << 20, 1 << 20, 64 << 20, Duration.ofSeconds(20)));
      for (int i = 0; i < 50; i++) { // a lone connection carries some of them
        assertThat(wellBehaved.call(new Next(EPOCH, 1), LONG)).isEqualTo(new Tokens(7, 1));
      }
    }
  }

  @Test
  void theRefusalIsReadEvenByAClientThatGoesOnSending() throws IOException {
    try (RawClient client = client().greet()) {
      byte[] wrong = next(14);
      littleEndian(wrong).putShort(4, (short) 0x7fff);
      client.send(wrong);
      try {
        client.send(new byte[4 << 20]);
      } catch (IOException closedMeanwhile) {
        return; // the client was slower than the server's patience
      }
      assertThat(client.receive().requestId()).isEqualTo(14);
    }
  }

  @Test
  void aClaimOfManyBytesTakesNoMemoryUntilTheyCome() throws IOException {
    long before = UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      RawClient client = client().greet();
      byte[] frame = next(15);
      littleEndian(frame).putInt(0, LIMITS.maxFrameBytes());
      client.send(frame);
      clients.add(client);
    }
    wellBehaved.call(new AskStatus(), LONG);

    assertThat(UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
        .isLessThan(20L * (300 << 10));
    for (RawClient client : clients) {
      client.close();
    }
  }

  @Test
  void clientsThatTogetherFillTheMemoryAreToldThatTheServerIsOverloaded() throws Exception {
    int serverBytes = (3 << 20) + (512 << 10); // three frames, but not four
    ScriptedServer silent = new ScriptedServer((request, reply) -> {});
    serve(
        silent,
        new TcpServerOptions(
            LIMITS, 64, 64, 1 << 20, 1 << 20, serverBytes, Duration.ofSeconds(20)));
    byte[] write = write(1 << 20);

    try (RawClient first = client().greet();
        RawClient second = client().greet();
        RawClient third = client().greet();
        RawClient fourth = client().greet()) {
      for (RawClient client : List.of(first, second, third)) {
        client.send(write);
      }
      eventually(() -> assertThat(silent.requests.get()).isGreaterThanOrEqualTo(3));
      try {
        fourth.send(write);
      } catch (IOException closedMeanwhile) {
        // the server's answer comes before all bytes are sent
      }
      assertThat(fourth.receive().message()).isInstanceOf(Failure.Overloaded.class);
    }
    server.loop().execute(answering::answerTheRest);
  }

  @Test
  void aFrameMayComeByteByByte() throws IOException {
    try (RawClient client = client().greet()) {
      for (byte b : next(16)) {
        client.send(new byte[] {b});
      }
      assertThat(client.receive().message()).isEqualTo(new Tokens(1, 1));
    }
  }

  @Test
  void aClientMayGoInTheMiddleOfAFrame() throws IOException {
    byte[] whole = next(17);
    for (int length = 0; length < whole.length; length++) {
      try (RawClient client = client().greet()) {
        client.send(Arrays.copyOf(whole, length));
        client.endOutput();
        assertThat(client.isClosedByServer()).isTrue();
      }
    }
  }

  @Test
  void noiseEndsTheConnectionOrChangesNothing() throws IOException {
    Random random = new Random(6);
    for (int round = 0; round < 200; round++) {
      byte[] noise = new byte[random.nextInt(1, 4_000)];
      random.nextBytes(noise);
      if (round % 2 == 0 && noise.length > 4) {
        littleEndian(noise).putInt(0, noise.length); // a frame as far as its length goes
      }
      try (RawClient client = round % 3 == 0 ? client() : client().greet()) {
        client.send(noise);
        client.endOutput();
        assertThat(client.isClosedByServer()).isTrue();
      } catch (IOException reset) {
        assertThat(reset.getMessage()).isNotNull();
      }
    }
  }

  @Test
  void aClientThatNeverSaysHelloIsSentAway() throws IOException {
    serve(
        new ScriptedServer((request, reply) -> {}),
        new TcpServerOptions(LIMITS, 64, 64, 1 << 20, 1 << 20, 64 << 20, Duration.ofMillis(50)));
    try (RawClient client = client()) {
      assertThat(client.isClosedByServer()).isTrue();
    }
    assertThat(wellBehaved.call(new AskStatus(), LONG)).isNotNull();
  }

  @Test
  void moreConnectionsThanTheBoundAreSentAway() throws IOException {
    serve(
        new ScriptedServer((request, reply) -> {}),
        new TcpServerOptions(LIMITS, 2, 64, 1 << 20, 1 << 20, 64 << 20, Duration.ofSeconds(20)));
    try (RawClient second = client().greet();
        RawClient third = client()) {
      assertThat(third.isClosedByServer()).isTrue();
      second.send(RawClient.bytes(new AskStatus(), 2));
      assertThat(second.receive().requestId()).isEqualTo(2);
    }
  }

  @Test
  void aClientThatIsNotAnsweredIsNotReadBeyondTheBound() throws Exception {
    ScriptedServer silent = new ScriptedServer((request, reply) -> {});
    serve(
        silent,
        new TcpServerOptions(LIMITS, 8, 1 << 20, 1, 1 << 20, 64 << 20, Duration.ofSeconds(20)));
    byte[] write = write(100_000);
    long bound = 2L * LIMITS.maxFrameBytes(); // the options raise it to this

    try (RawClient client = client().greet()) {
      Thread flood = flood(client, write, 1_000);
      eventually(
          () ->
              assertThat(silent.requests.get() * (long) write.length)
                  .isGreaterThanOrEqualTo(bound / 2));
      awaitStandstill(silent);
      assertThat(silent.requests.get() * (long) write.length).isLessThanOrEqualTo(bound * 2);
      client.breakOff();
      flood.join();
    }
  }

  @Test
  void aClientThatDoesNotReadIsNotReadEither() throws Exception {
    byte[] write = write(100_000);
    ScriptedServer echo =
        new ScriptedServer(
            (request, reply) ->
                reply.accept(
                    new Reads(List.of(new Found(((Write) request).entries().getFirst())))));
    serve(
        echo,
        new TcpServerOptions(LIMITS, 8, 1 << 20, 1, 1 << 20, 64 << 20, Duration.ofSeconds(20)));

    try (RawClient client = client().greet()) {
      Thread flood = flood(client, write, 1_000);
      awaitStandstill(echo);
      int whileNotReading = echo.requests.get();
      assertThat(whileNotReading).isLessThan(1_000);
      for (int i = 0; i < 1_000; i++) {
        assertThat(client.receive().message()).isInstanceOf(Reads.class);
      }
      flood.join();
    }
  }

  @Test
  void aClientThatDoesNotReadKeepsNobodyElseWaiting() throws Exception {
    byte[] write = write(100_000);
    ScriptedServer echo =
        new ScriptedServer(
            (request, reply) ->
                reply.accept(
                    new Reads(List.of(new Found(((Write) request).entries().getFirst())))));
    serve(
        echo,
        new TcpServerOptions(LIMITS, 8, 1 << 20, 1, 1 << 20, 64 << 20, Duration.ofSeconds(20)));

    try (RawClient slow = client().greet();
        RawClient other = client().greet()) {
      Thread flood = flood(slow, write, 1_000);
      awaitStandstill(echo);
      for (int i = 0; i < 100; i++) {
        other.send(write);
        assertThat(other.receive().message()).isInstanceOf(Reads.class);
      }
      assertThat(flood.isAlive()).isTrue();
      slow.breakOff();
      flood.join();
    }
  }

  @Test
  void clientsThatDoNotReadAreBoundedTogether() throws Exception {
    int together = 8 << 20;
    byte[] write = write(10_000);
    ScriptedServer echo =
        new ScriptedServer(
            (request, reply) ->
                reply.accept(
                    new Reads(List.of(new Found(((Write) request).entries().getFirst())))));
    serve(
        echo,
        new TcpServerOptions(
            LIMITS,
            128,
            1 << 20,
            1,
            1 << 20,
            64 << 20,
            together,
            PATIENCE,
            Duration.ofSeconds(20)));
    long before = UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();

    List<RawClient> silent = new ArrayList<>();
    List<Thread> floods = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      RawClient client = client().greet();
      silent.add(client);
      floods.add(flood(client, write, 1_000));
    }
    awaitStandstill(echo);
    long held = UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before;
    assertThat(held).isLessThan(together + 100 * (64L << 10)); // and the last bytes of each client
    assertThat(wellBehaved.call(new AskStatus(), LONG)).isNotNull();
    eventually( // when those that hold most have been sent away
        () ->
            assertThat(UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
                .isLessThanOrEqualTo(together));

    for (RawClient client : silent) {
      client.breakOff();
    }
    for (Thread flood : floods) {
      flood.join();
    }
  }

  @Test
  void aClientThatReadsAtLastIsToldEverything() throws Exception {
    ScriptedServer echo =
        new ScriptedServer(
            (request, reply) ->
                reply.accept(
                    new Reads(List.of(new Found(((Write) request).entries().getFirst())))));
    int together = 2 << 20;
    serve(
        echo,
        new TcpServerOptions(
            LIMITS,
            8,
            1 << 20,
            1,
            1 << 20,
            64 << 20,
            together,
            Duration.ofSeconds(60),
            Duration.ofSeconds(20)));

    try (RawClient first = client().greet();
        RawClient second = client().greet()) {
      Thread one = flood(first, write(10_000), 500);
      Thread other = flood(second, write(10_000), 500);
      awaitStandstill(echo);
      for (RawClient client : List.of(first, second)) {
        for (int i = 0; i < 500; i++) {
          assertThat(client.receive().message()).isInstanceOf(Reads.class);
        }
      }
      one.join();
      other.join();
    }
  }

  private static byte[] write(int payload) {
    Entry entry = Entry.data(5, new AppendId(1, 2), ByteBuffer.allocate(payload));
    Message message = new Write(EPOCH, List.of(entry));
    return RawClient.bytes(message, 3);
  }

  private static Thread flood(RawClient client, byte[] frame, int times) {
    return Thread.startVirtualThread(
        () -> {
          try {
            for (int i = 0; i < times; i++) {
              client.send(frame);
            }
          } catch (IOException closed) {
            // by the test
          }
        });
  }

  /** Waits until the handler has received no further requests for a while. */
  private void awaitStandstill(ScriptedServer handler) {
    int before = -1;
    int same = 0;
    for (int i = 0; i < 1_000 && same < 20; i++) {
      world.pause(Duration.ofMillis(10));
      int now = handler.requests.get();
      same = now == before && now > 0 ? same + 1 : 0;
      before = now;
    }
  }

  @Test
  void helloMayBeSaidAgain() throws IOException {
    try (RawClient client = client().greet()) {
      client.send(RawClient.bytes(new Hello(1, 1, Optional.empty()), 18));
      assertThat(client.receive().requestId()).isEqualTo(18);
      client.send(next(19));
      assertThat(client.receive().requestId()).isEqualTo(19);
    }
  }
}
