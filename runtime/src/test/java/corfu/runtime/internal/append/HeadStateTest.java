package corfu.runtime.internal.append;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeadStateTest {

  @Test
  void aRefusalDoesNotTakeADoubtBack() {
    assertThat(HeadState.NOT_ASKED.turnedDown()).isEqualTo(HeadState.TURNED_DOWN);
    assertThat(HeadState.NOT_ASKED.doubted().turnedDown()).isEqualTo(HeadState.IN_DOUBT);
    assertThat(HeadState.TURNED_DOWN.doubted()).isEqualTo(HeadState.IN_DOUBT);
  }

  @Test
  void nothingChangesWhatTheHeadHasAccepted() {
    assertThat(HeadState.ACCEPTED.doubted()).isEqualTo(HeadState.ACCEPTED);
    assertThat(HeadState.ACCEPTED.turnedDown()).isEqualTo(HeadState.ACCEPTED);
  }

  @Test
  void anEntryMayBeVisibleFromTheFirstDoubtOn() {
    assertThat(HeadState.NOT_ASKED.mayBeVisible()).isFalse();
    assertThat(HeadState.TURNED_DOWN.mayBeVisible()).isFalse();
    assertThat(HeadState.IN_DOUBT.mayBeVisible()).isTrue();
    assertThat(HeadState.ACCEPTED.mayBeVisible()).isTrue();
  }
}
