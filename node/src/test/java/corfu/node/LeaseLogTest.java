package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.LeaseLog.News;
import org.junit.jupiter.api.Test;

final class LeaseLogTest {

  private static final long LATE = LeaseLog.LATE_MAX.toNanos();

  private final LeaseLog news = new LeaseLog();

  @Test
  void aServerThatStartsHasNoLeaseYetWhichIsNoNews() {
    assertThat(news.look(false, 0)).isEqualTo(News.NOTHING);
    assertThat(news.look(false, 10 * LATE)).isEqualTo(News.NOTHING);
    assertThat(news.look(true, 10 * LATE + 1)).isEqualTo(News.HELD);
  }

  @Test
  void aLeaseThatIsLateIsNoWarning() {
    news.look(true, 0);

    assertThat(news.look(false, 1)).isEqualTo(News.LATE);
    assertThat(news.look(false, LATE)).isEqualTo(News.NOTHING);
    assertThat(news.look(true, LATE + 1)).isEqualTo(News.HELD);
  }

  @Test
  void aLeaseThatStaysAwayIsToldOnce() {
    news.look(true, 0);
    news.look(false, 1);

    assertThat(news.look(false, LATE + 1)).isEqualTo(News.MISSING);
    assertThat(news.look(false, 5 * LATE)).isEqualTo(News.NOTHING);
  }
}
