package corfu.cli.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MirrorProgressTest {

  private static final long PROGRESS = MirrorProgress.PROGRESS.toNanos();
  private static final long QUIET = MirrorProgress.QUIET.toNanos();

  private final MirrorProgress news = new MirrorProgress(0);

  @Test
  void progressIsToldNowAndThen() {
    assertThat(news.stepped(PROGRESS - 1, () -> "1")).isEmpty();
    assertThat(news.stepped(PROGRESS, () -> "2")).contains("2");
    assertThat(news.stepped(PROGRESS + 1, () -> "3")).isEmpty();
    assertThat(news.stepped(2 * PROGRESS, () -> "4")).contains("4");
  }

  @Test
  void aRunWithNothingToDoSaysSoLessOften() {
    news.stepped(PROGRESS, () -> "copied up to 1");

    assertThat(news.stepped(PROGRESS + QUIET - 1, () -> "copied up to 1")).isEmpty();
    assertThat(news.stepped(2 * PROGRESS + QUIET, () -> "copied up to 1"))
        .contains("copied up to 1; nothing new");
  }

  @Test
  void aRunThatWaitsForAnAnswerSaysForHowLong() {
    news.stepped(PROGRESS, () -> "copied up to 1");

    assertThat(news.waiting(PROGRESS + QUIET - 1)).isEmpty();
    assertThat(news.waiting(PROGRESS + QUIET))
        .contains("has been waiting for an answer of a cluster for 10 s");
    assertThat(news.waiting(PROGRESS + QUIET + 1)).isEmpty();
    assertThat(news.waiting(PROGRESS + 2 * QUIET))
        .contains("has been waiting for an answer of a cluster for 20 s");
    news.stepped(PROGRESS + 2 * QUIET + 1, () -> "copied up to 2");
    assertThat(news.waiting(PROGRESS + 3 * QUIET)).isEmpty();
  }
}
