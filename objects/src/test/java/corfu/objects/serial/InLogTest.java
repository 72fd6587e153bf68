package corfu.objects.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values that stay in the log, as bytes. */
class InLogTest {

  record Point(int x, int y) {}

  static class Page {
    String title = "";
    InLog<byte[]> text = InLog.of(new byte[0]);
    Map<String, InLog<Point>> points = new HashMap<>();
  }

  private static final StandardSerializer SERIALIZER =
      StandardSerializer.create().knowing(List.of(Page.class));

  /** A value that is in a buffer, and is found there. */
  private static final class InBuffer extends LocatedValue<Object> implements LocatedValue.Source {
    private final ByteBuffer buffer;
    private final int offset;

    InBuffer(ByteBuffer buffer, int offset, ContentDigest content) {
      super(content);
      this.buffer = buffer;
      this.offset = offset;
    }

    @Override
    protected Source source() {
      return this;
    }

    @Override
    public List<ByteBuffer> bytes(List<LocatedValue<?>> values) {
      return values.stream()
          .map(value -> ((InBuffer) value).buffer.slice(((InBuffer) value).offset, value.length()))
          .toList();
    }

    @Override
    public Serializer serializer() {
      return SERIALIZER;
    }

    @Override
    protected void writePlace(ValueOutput out) {
      out.writeVarLong(offset);
    }
  }

  private static ByteBuffer written(@Nullable Object... values) {
    ValueOutput out = new ValueOutput();
    SERIALIZER.write(values, out);
    return out.toBuffer();
  }

  private static @Nullable Object[] inPlace(ByteBuffer bytes) {
    return SERIALIZER.read(
        new ValueInput(bytes),
        (offset, content) -> Optional.of(new InBuffer(bytes, offset, content)));
  }

  @Test
  void aValueIsFoundWhereItWasWritten() {
    ByteBuffer bytes =
        written("first", List.of(InLog.of("far"), InLog.of(List.of(1, 2))), InLog.of(3L));

    @Nullable Object[] read = inPlace(bytes);

    assertThat(read[0]).isEqualTo("first");
    assertThat(InLog.getAll(inLogs(read[1]))).containsExactly("far", List.of(1, 2));
    assertThat(read[2]).isInstanceOf(InBuffer.class).isEqualTo(InLog.of(3L));
  }

  @SuppressWarnings("unchecked")
  private static List<InLog<Object>> inLogs(@Nullable Object list) {
    return (List<InLog<Object>>) java.util.Objects.requireNonNull(list);
  }

  @Test
  void whoDoesNotKnowAPlaceHasTheValueItself() {
    @Nullable Object[] read = SERIALIZER.read(new ValueInput(written(InLog.of("far"))));

    assertThat(((InLog<?>) java.util.Objects.requireNonNull(read[0])).get()).isEqualTo("far");
    assertThat(written(read)).isEqualTo(written(InLog.of("far")));
  }

  @Test
  void whatIsWrittenOnceMoreIsTheSameBytes() {
    @Nullable Object[] read = inPlace(written(InLog.of(new Point(1, 2))));

    assertThat(written(read)).isEqualTo(written(InLog.of(new Point(1, 2))));
  }

  @Test
  void equalityIsThatOfTheBytes() {
    InLog<?> far = (InLog<?>) java.util.Objects.requireNonNull(inPlace(written(InLog.of(7)))[0]);
    InLog<?> same = (InLog<?>) java.util.Objects.requireNonNull(inPlace(written(InLog.of(7)))[0]);

    assertThat(far).isEqualTo(same).hasSameHashCodeAs(same).isEqualTo(InLog.of(7));
    assertThat((Object) InLog.of(7)).isEqualTo(far).hasSameHashCodeAs(far).isEqualTo(InLog.of(7));
    assertThat(far).isNotEqualTo(InLog.of(8)).isNotEqualTo(InLog.of(7L)).isNotEqualTo("seven");
  }

  @Test
  void aCopySharesWhatStaysInTheLog() {
    Page page = new Page();
    page.title = "front";
    page.text = InLog.of(new byte[] {1, 2, 3});
    page.points.put("a", InLog.of(new Point(1, 2)));
    Page placed = (Page) java.util.Objects.requireNonNull(inPlace(written(page))[0]);

    Page copy = (Page) java.util.Objects.requireNonNull(SERIALIZER.copy(placed));

    assertThat(copy).isNotSameAs(placed);
    assertThat(copy.text).isSameAs(placed.text);
    assertThat(copy.points.get("a")).isSameAs(placed.points.get("a"));
    assertThat(copy.text.get()).isEqualTo(new byte[] {1, 2, 3});
    Page fresh = (Page) java.util.Objects.requireNonNull(SERIALIZER.copy(page));
    assertThat(fresh.points).isEqualTo(Map.of("a", InLog.of(new Point(1, 2))));
  }

  @Test
  void aDigestIsTheSameWhetherAValueIsThereOrWhereItIs() {
    List<StateDigest> digests = new ArrayList<>();
    @Nullable Object[] read = inPlace(written(List.of(InLog.of("far"), "near")));
    ValueOutput pointing = new ValueOutput();
    SERIALIZER.writePointing(read, pointing);

    for (ByteBuffer bytes : List.of(written(read), pointing.toBuffer())) {
      Digester digester = SERIALIZER.digester().orElseThrow();
      digester.add(new ValueInput(bytes));
      digests.add(digester.digest());
    }
    Digester other = SERIALIZER.digester().orElseThrow();
    other.add(new ValueInput(written(List.of(InLog.of("fat"), "near"))));

    assertThat(digests.get(0)).isEqualTo(digests.get(1)).isNotEqualTo(other.digest());
  }

  @Test
  void aPlaceIsReadWhereItIsUnderstoodOnly() {
    ByteBuffer bytes = written(InLog.of("far"));
    ValueOutput pointing = new ValueOutput();
    SERIALIZER.writePointing(inPlace(bytes), pointing);
    ValueLocator places =
        new ValueLocator() {
          @Override
          public Optional<InLog<?>> at(int offset, ContentDigest content) {
            return Optional.empty();
          }

          @Override
          public InLog<?> pointed(ContentDigest content, ValueInput place) {
            return new InBuffer(bytes, (int) place.readPositive(), content);
          }
        };

    @Nullable Object[] read = SERIALIZER.read(new ValueInput(pointing.toBuffer()), places);

    assertThat(((InLog<?>) java.util.Objects.requireNonNull(read[0])).get()).isEqualTo("far");
    assertThatThrownBy(() -> SERIALIZER.read(new ValueInput(pointing.toBuffer())))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("where a value is");
  }

  @Test
  void peopleAreToldThatAValueStaysInTheLog() {
    assertThat(ValueText.of(written("a", InLog.of("far"))))
        .containsExactly("\"a\"", "(6 bytes that stay in the log)");
  }

  @Test
  void whatIsDeclaredLikeThatCanBeWritten() throws Exception {
    assertThat(SERIALIZER.objectionTo(Page.class)).isEmpty();
    assertThat(SERIALIZER.objectionTo(Page.class.getDeclaredField("points").getGenericType()))
        .isEmpty();
  }
}
