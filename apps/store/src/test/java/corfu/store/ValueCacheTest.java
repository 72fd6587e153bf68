package corfu.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ValueCacheTest {

  private final ValueCache cache = new ValueCache(1000);

  private static ValueLocation slot(long address, String value) {
    return new ValueLocation(address, new Address(address), 10, value.length());
  }

  private static ByteBuffer bytes(String value) {
    return ByteBuffer.wrap(value.getBytes(UTF_8));
  }

  private Optional<String> find(ValueLocation slot) {
    return cache.find(slot).map(value -> UTF_8.decode(value.duplicate()).toString());
  }

  @Test
  void keepsTheValueOfAKeyThatIsNew() {
    cache.follow(Optional.empty(), slot(1, "a"), bytes("a"));
    assertThat(find(slot(1, "a"))).contains("a");
  }

  @Test
  void keepsWhatTakesThePlaceOfAValueThatItHas() {
    cache.follow(Optional.empty(), slot(1, "a"), bytes("a"));
    cache.follow(Optional.of(slot(1, "a")), slot(2, "bb"), bytes("bb"));

    assertThat(find(slot(2, "bb"))).contains("bb");
    assertThat(find(slot(1, "a"))).isEmpty();
  }

  @Test
  void doesNotKeepWhatTakesThePlaceOfAValueThatNobodyHasUsed() {
    cache.follow(Optional.of(slot(1, "a")), slot(2, "bb"), bytes("bb"));
    assertThat(find(slot(2, "bb"))).isEmpty();
  }

  @Test
  void whoGoesThroughThePastDoesNotChangeIt() {
    cache.follow(Optional.empty(), slot(5, "new"), bytes("new"));
    cache.follow(Optional.of(slot(5, "new")), slot(3, "old"), bytes("old"));

    assertThat(find(slot(5, "new"))).contains("new");
    assertThat(find(slot(3, "old"))).isEmpty();
  }

  @Test
  void aValueIsACopyOfWhatCameBy() {
    ByteBuffer passing = bytes("a");
    cache.follow(Optional.empty(), slot(1, "a"), passing);
    passing.put(0, (byte) 'z');
    assertThat(find(slot(1, "a"))).contains("a");
  }

  @Test
  void whatWasUsedLongestAgoGivesWay() {
    for (int i = 0; i < 20; i++) {
      cache.follow(Optional.empty(), slot(i, "a"), bytes("a"));
      assertThat(find(slot(0, "a"))).contains("a");
    }

    assertThat(find(slot(1, "a"))).isEmpty();
    assertThat(find(slot(19, "a"))).contains("a");
  }
}
