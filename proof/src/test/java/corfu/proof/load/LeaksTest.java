package corfu.proof.load;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.proof.load.ServerUnderLoad.Footprint;
import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cost of clients on a server whose heap is 112 MiB. It checks the bounds on descriptors,
 * threads and memory in {@code docs/fault-model.md}, while clients are connected and after they
 * have left.
 */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
class LeaksTest {

  private static final int IDLE = 1_000;
  private static final int SILENT = 200;
  private static final int HALF = 200;

  /** Files that are opened and closed again, besides connections. */
  private static final int DESCRIPTORS = 24;

  private static final int THREADS = 8;
  private static final long HEAP_BYTES = 4 << 20;
  private static final long HEAP_BYTES_A_CONNECTION = 8 << 10;
  private static final long RESIDENT_BYTES_A_CONNECTION = 96 << 10;
  private static final long RESIDENT_BYTES = 64 << 20;

  /** The bound on the memory for connections that do not read. */
  private static final long UNREAD_BYTES = 128 << 20;

  private static final int DEAF = 150;

  private static final Duration WELCOME = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofSeconds(30);

  private final RealWorld world = new RealWorld();
  @TempDir private Path home;
  private ServerUnderLoad server;

  @BeforeEach
  void start() throws IOException {
    server = new ServerUnderLoad(world, home, 1_024);
    for (int i = 0; i < 50; i++) {
      comeAndGo(); // until everything that stays has been allocated
    }
  }

  @AfterEach
  void stop() {
    server.close();
    world.close();
  }

  private void comeAndGo() {
    try (Corfu corfu = Corfu.connect(CorfuOptions.of(List.of(server.endpoint())))) {
      Address address = corfu.log().append(new byte[1_000]);
      assertThat(corfu.log().read(address).address()).isEqualTo(address);
    }
  }

  private void assertStillAsBefore(Footprint before) {
    eventually(
        SOON,
        () ->
            assertThat(server.descriptors())
                .as("descriptors, before %s", before)
                .isLessThanOrEqualTo(before.descriptors() + DESCRIPTORS));
    Footprint now = server.footprint();
    System.out.println("before " + before + ", behind " + now);
    assertThat(now.threads()).isLessThanOrEqualTo(before.threads() + THREADS);
    assertThat(now.heapBytes()).isLessThan(before.heapBytes() + HEAP_BYTES);
    assertThat(now.residentBytes()).isLessThan(before.residentBytes() + RESIDENT_BYTES);
  }

  @Test
  void clientsThatComeAndGoLeaveNothingBehind() {
    Footprint before = server.footprint();
    for (int i = 0; i < 500; i++) {
      comeAndGo();
    }
    assertStillAsBefore(before);
  }

  @Test
  void idleClientsCostLittleAndNothingWhenTheyHaveGone() throws IOException {
    Footprint before = server.footprint();
    List<RawConnection> idle = new ArrayList<>();
    for (int i = 0; i < IDLE; i++) {
      RawConnection one = new RawConnection(server.endpoint()).greet();
      assertThat(one.receive().message()).isInstanceOf(Welcome.class);
      idle.add(one);
    }
    comeAndGo();
    Footprint with = server.footprint();
    System.out.println("before " + before + ", with " + IDLE + " idle clients " + with);

    assertThat(with.descriptors()).isLessThanOrEqualTo(before.descriptors() + IDLE + DESCRIPTORS);
    assertThat(with.threads()).isLessThanOrEqualTo(before.threads() + THREADS);
    assertThat(with.heapBytes())
        .isLessThan(before.heapBytes() + HEAP_BYTES + IDLE * HEAP_BYTES_A_CONNECTION);
    assertThat(with.residentBytes())
        .isLessThan(before.residentBytes() + RESIDENT_BYTES + IDLE * RESIDENT_BYTES_A_CONNECTION);
    for (RawConnection one : idle) {
      one.close();
    }
    assertStillAsBefore(before);
  }

  @Test
  void connectionsThatNeverSendOrSendHalfAreSentAwayOrCostNoMoreThanTheySend() throws IOException {
    Footprint before = server.footprint();
    List<RawConnection> silent = new ArrayList<>();
    List<RawConnection> half = new ArrayList<>();
    for (int i = 0; i < SILENT; i++) {
      silent.add(new RawConnection(server.endpoint()));
    }
    for (int i = 0; i < HALF; i++) {
      RawConnection one = new RawConnection(server.endpoint()).greet();
      assertThat(one.receive().message()).isInstanceOf(Welcome.class);
      one.send(beginning(i % 2 == 0 ? 11 : 4_000));
      half.add(one);
    }
    comeAndGo();
    Footprint with = server.footprint();
    System.out.println("before " + before + ", with silent and half ones " + with);

    assertThat(with.threads()).isLessThanOrEqualTo(before.threads() + THREADS);
    assertThat(with.residentBytes())
        .isLessThan(
            before.residentBytes()
                + RESIDENT_BYTES
                + (SILENT + HALF) * RESIDENT_BYTES_A_CONNECTION);
    int left = before.descriptors() + HALF + DESCRIPTORS;
    eventually(
        WELCOME.plus(SOON),
        () ->
            assertThat(server.descriptors())
                .as("those that never say hello are sent away")
                .isLessThanOrEqualTo(left));
    comeAndGo();
    for (RawConnection one : half) {
      one.close();
    }
    for (RawConnection one : silent) {
      one.close();
    }
    assertStillAsBefore(before);
  }

  /** The allocator keeps some of that memory, and uses it again for whatever comes next. */
  @Test
  void connectionsThatDoNotReadAreBoundedTogetherAndTheirMemoryIsUsedAgain() throws Exception {
    Footprint before = server.footprint();
    floodWithoutReading(before.residentBytes());
    Footprint once = server.footprint();
    floodWithoutReading(before.residentBytes());
    assertStillAsBefore(once);
  }

  private void floodWithoutReading(long residentBytesBefore) throws Exception {
    byte[] read;
    try (Corfu corfu = Corfu.connect(CorfuOptions.of(List.of(server.endpoint())))) {
      Address large = corfu.log().append(new byte[100_000]);
      Epoch epoch = corfu.layout().epoch();
      AddressSet asked = AddressSet.of(large.value());
      read = RawConnection.bytes(new LogUnitRequest.Read(epoch, asked, 1 << 20), 2);
    }
    List<RawConnection> deaf = new ArrayList<>();
    List<Thread> floods = new ArrayList<>();
    for (int i = 0; i < DEAF; i++) {
      RawConnection one = new RawConnection(server.endpoint()).greet();
      assertThat(one.receive().message()).isInstanceOf(Welcome.class);
      deaf.add(one);
      floods.add(Thread.startVirtualThread(() -> askInVain(one, read)));
    }
    for (int i = 0; i < 20; i++) {
      comeAndGo();
      world.pause(Duration.ofMillis(50)); // as many replies as arrive within a second
    }
    Footprint with = server.footprint();
    System.out.println("with " + DEAF + " that do not read " + with);
    assertThat(with.residentBytes())
        .isLessThan(residentBytesBefore + RESIDENT_BYTES + UNREAD_BYTES);
    for (RawConnection one : deaf) {
      one.close();
    }
    for (Thread flood : floods) {
      flood.join();
    }
    comeAndGo();
  }

  private static void askInVain(RawConnection client, byte[] request) {
    try {
      for (int i = 0; i < 400; i++) {
        client.send(request);
      }
    } catch (IOException closed) {
      // by the test, or by the server, which needs the memory
    }
  }

  /** Returns the first bytes of a frame that claims to be almost as large as a frame may be. */
  private static byte[] beginning(int length) {
    Entry entry = Entry.hole(5, new corfu.protocol.AppendId(1, 2));
    byte[] frame = RawConnection.bytes(new LogUnitRequest.Write(new Epoch(1), List.of(entry)), 7);
    ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(frame, length));
    return bytes.order(ByteOrder.LITTLE_ENDIAN).putInt(0, 16 << 20).array();
  }
}
