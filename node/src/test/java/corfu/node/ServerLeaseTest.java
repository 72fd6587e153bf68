package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.world.Loop;
import corfu.world.World;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The validity of a server's lease, on clocks that start anywhere, and wrap. */
final class ServerLeaseTest {

  private static final Endpoint A = new Endpoint("a", 1);
  private static final Endpoint B = new Endpoint("b", 2);
  private static final Endpoint C = new Endpoint("c", 3);
  private static final long LEASE = 300;

  private final HandClock clock = new HandClock();
  private final ServerLease lease = new ServerLease(clock);

  @BeforeEach
  void depend() {
    lease.dependOn(new Epoch(1), List.of(A, B, C));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 100, -150})
  void itIsValidWhileAMajorityHasGrantedIt(long start) {
    clock.now = start;
    assertThat(lease.isValid()).isFalse();
    lease.granted(A, start, LEASE);
    assertThat(lease.isValid()).as("one of three").isFalse();
    clock.now += 100;
    lease.granted(B, start + 50, LEASE);
    assertThat(lease.isValid()).as("two of three").isTrue();

    clock.now = start + LEASE - 1;
    assertThat(lease.isValid()).isTrue();
    clock.now = start + LEASE;
    assertThat(lease.isValid()).as("only one of them still grants it").isFalse();
    lease.granted(C, start + 200, LEASE);
    assertThat(lease.isValid()).isTrue();
    clock.now = start + 50 + LEASE;
    assertThat(lease.isValid()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 100})
  void anAnswerThatComesLateTakesNothingBack(long start) {
    clock.now = start + 200;
    lease.granted(A, start + 200, LEASE);
    lease.granted(B, start + 200, LEASE);
    lease.granted(A, start, LEASE);

    clock.now = start + 200 + LEASE - 1;
    assertThat(lease.isValid()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 100})
  void onlyThoseCountWhoDecideTheNextLayout(long start) {
    clock.now = start;
    lease.granted(A, start, LEASE);
    lease.granted(B, start, LEASE);
    Endpoint d = new Endpoint("d", 4);
    lease.dependOn(new Epoch(2), List.of(A, C, d));
    assertThat(lease.isValid()).isFalse();

    lease.granted(B, start, LEASE);
    assertThat(lease.isValid()).isFalse();
    lease.granted(d, start, LEASE);
    assertThat(lease.isValid()).isTrue();
  }

  @Test
  void itIsValidInTheEpochWhoseLayoutServersTheServerDependsOn() {
    lease.granted(A, 0, LEASE);
    lease.granted(B, 0, LEASE);
    assertThat(lease.isValidIn(new Epoch(1))).isTrue();
    assertThat(lease.isValidIn(new Epoch(2))).as("others may follow it").isFalse();

    lease.dependOn(new Epoch(2), List.of(A, B, C));
    assertThat(lease.isValidIn(new Epoch(2))).isTrue();
    assertThat(lease.isValidIn(new Epoch(1))).as("it has been followed").isFalse();
  }

  /** A clock that a test moves. */
  private static final class HandClock implements World {
    private long now;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public long wallTimeMillis() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RandomGenerator random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Thread start(String name, Runnable body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Loop loop(String name) {
      throw new UnsupportedOperationException();
    }
  }
}
