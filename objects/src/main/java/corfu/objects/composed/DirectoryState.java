package corfu.objects.composed;

import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A directory's state: two numbers. */
final class DirectoryState implements Directory {

  /** Looking for a key reads the bucket that was found, and nothing else of the directory. */
  private static final Operation.Keys FOUND =
      new FoundPart(result -> ((Found) result).place().map(Place::bucket));

  static final ObjectType<Directory> TYPE =
      new RekeyedType<>(
          "ComposedMap",
          ObjectTypes.persistent(
              Directory.class, DirectoryState::new, new DirectorySnapshots(), List.of()),
          Map.of("find(long)", FOUND),
          List.of());

  private Extent extent;

  DirectoryState() {
    this(new Extent(0, 0));
  }

  private DirectoryState(Extent extent) {
    this.extent = extent;
  }

  private static final class DirectorySnapshots implements Snapshots<Directory> {

    @Override
    public Directory fork(Directory state) {
      return new DirectoryState(state.extent());
    }

    @Override
    public void save(Directory state, Consumer<@Nullable Object> values) {
      values.accept(state.extent().generation());
      values.accept(state.extent().buckets());
    }

    @Override
    public Directory load(Iterator<@Nullable Object> values) {
      long generation = (Long) Objects.requireNonNull(values.next());
      int buckets = (Integer) Objects.requireNonNull(values.next());
      return new DirectoryState(new Extent(generation, buckets));
    }
  }

  @Override
  public Extent extent() {
    return extent;
  }

  @Override
  public Found find(long spread) {
    return new Found(
        extent.buckets() == 0
            ? Optional.empty()
            : Optional.of(new Place(extent.generation(), Spread.bucket(spread, extent.buckets()))));
  }

  @Override
  public Extent begin(int buckets) {
    if (buckets < 1) {
      throw new IllegalArgumentException("a map has one bucket or more, not " + buckets);
    }
    if (extent.buckets() == 0) {
      extent = new Extent(extent.generation(), buckets);
    }
    return extent;
  }

  @Override
  public void split(int bucket) {
    if (extent.buckets() == 0 || bucket != Spread.nextToSplit(extent.buckets())) {
      throw new IllegalStateException(
          "bucket %d is not the next one to be split of %d".formatted(bucket, extent.buckets()));
    }
    extent = new Extent(extent.generation(), extent.buckets() + 1);
  }

  @Override
  public void clear() {
    extent = new Extent(extent.generation() + 1, extent.buckets());
  }
}
