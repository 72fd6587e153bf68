package corfu.roles.logunit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import org.junit.jupiter.api.Test;

class ConfirmedTest {

  private static final int WINDOW = 1 << 16;

  private final Confirmed confirmed = new Confirmed();

  private void add(long address) {
    confirmed.add(AddressSet.of(address));
  }

  @Test
  void whatWasToldIsKnown() {
    add(7);
    add(3L * WINDOW + 8);

    assertThat(confirmed.contains(7)).isTrue();
    assertThat(confirmed.contains(8)).isFalse();
    assertThat(confirmed.contains(3L * WINDOW + 8)).isTrue();
    assertThat(confirmed.contains(3L * WINDOW + 7)).isFalse();
  }

  @Test
  void whatIsTrimmedCostsNothing() {
    for (int i = 0; i < 10; i++) {
      add((long) i * WINDOW);
    }
    long full = confirmed.bytes();

    confirmed.removeBelow(9L * WINDOW + 1);

    assertThat(confirmed.bytes()).isEqualTo(full / 10);
    assertThat(confirmed.contains(0)).isFalse();
    assertThat(confirmed.contains(9L * WINDOW)).isTrue();
  }

  @Test
  void whatIsToldOfTrimmedAddressesIsNotKept() {
    confirmed.removeBelow(9L * WINDOW);
    add(3L * WINDOW);
    add(9L * WINDOW);

    assertThat(confirmed.contains(3L * WINDOW)).isFalse();
    assertThat(confirmed.contains(9L * WINDOW)).isTrue();
  }

  @Test
  void aStoreThatBeginsAnewKnowsNothingAndLearnsAgain() {
    add(7);
    confirmed.removeBelow(2L * WINDOW);
    confirmed.clear();
    assertThat(confirmed.bytes()).isZero();

    add(7);

    assertThat(confirmed.contains(7)).isTrue();
  }
}
