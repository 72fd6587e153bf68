package corfu.zookeeper.server;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.server.SessionClocks.Expired;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionClocksTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The clock may overflow meanwhile. */
  private static final long START = Long.MAX_VALUE - 10;

  private final SessionClocks clocks = new SessionClocks();

  private void renew(long id, long vouch, long nowNanos, Duration timeout) {
    clocks.renew(id, vouch, nowNanos, timeout, Duration.ZERO);
  }

  @Test
  void aClockRunsOutAtItsEnd() {
    renew(1, 5, START, SECOND);
    assertThat(clocks.expired(START + SECOND.toNanos() - 1)).isEmpty();
    assertThat(clocks.expired(START + SECOND.toNanos())).containsExactly(new Expired(1, 5));
  }

  @Test
  void aVouchStartsTheClockAgain() {
    renew(1, 5, START, SECOND);
    renew(1, 6, START + 500, SECOND);
    assertThat(clocks.expired(START + SECOND.toNanos())).isEmpty();
    assertThat(clocks.expired(START + SECOND.toNanos() + 500)).containsExactly(new Expired(1, 6));
  }

  @Test
  void anOutagePostponesAllClocks() {
    renew(1, 5, START, SECOND);
    renew(2, 5, START, SECOND);
    clocks.postpone(100);
    assertThat(clocks.expired(START + SECOND.toNanos() + 99)).isEmpty();
    assertThat(clocks.expired(START + SECOND.toNanos() + 100)).hasSize(2);
  }

  @Test
  void ofSeveralOutagesWithoutAVouchTheLongestCounts() {
    renew(1, 5, START, SECOND);
    clocks.postpone(100);
    clocks.postpone(300);
    clocks.postpone(200);
    assertThat(clocks.expired(START + SECOND.toNanos() + 299)).isEmpty();
    assertThat(clocks.expired(START + SECOND.toNanos() + 300)).hasSize(1);
  }

  @Test
  void aShorterTimeoutShortensTheClock() {
    renew(1, 5, START, SECOND.multipliedBy(100));
    renew(1, 6, START, SECOND);
    assertThat(clocks.expired(START + SECOND.toNanos())).containsExactly(new Expired(1, 6));
  }

  @Test
  void aVouchOfAnIdleClientEndsNoClockEarlier() {
    renew(1, 5, START, SECOND);
    clocks.renew(1, 6, START, SECOND, Duration.ofMillis(900));
    assertThat(clocks.expired(START + SECOND.toNanos() - 1)).isEmpty();
    assertThat(clocks.expired(START + SECOND.toNanos())).containsExactly(new Expired(1, 6));
  }

  @Test
  void aVouchOfAnIdleClientAfterAnOutageEndsNoClockBeforeTheTimeout() {
    renew(1, 5, START, SECOND);
    clocks.postpone(SECOND.toNanos());
    clocks.renew(1, 6, START + 1, SECOND, Duration.ofMillis(900));
    assertThat(clocks.expired(START + SECOND.toNanos())).isEmpty();
  }

  @Test
  void aClockIsRemoved() {
    renew(1, 5, START, SECOND);
    renew(2, 5, START, SECOND);
    clocks.remove(1);
    assertThat(clocks.expired(START + SECOND.toNanos())).containsExactly(new Expired(2, 5));
    clocks.clear();
    assertThat(clocks.expired(START + SECOND.toNanos())).isEmpty();
  }
}
