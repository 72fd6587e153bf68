package corfu.objects;

import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Operation.Kind;
import corfu.protocol.StreamId;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue's content, as its checkpoints have it. Only the catalogue itself uses this class:
 * it is public, and in this package, because checkpoints name it.
 */
public final class CatalogueState {

  public static final ObjectType<CatalogueState> TYPE = new CatalogueType();

  public static final int ENTER = 0;
  public static final int IS_KNOWN = 1;
  public static final int LIST = 2;
  public static final int TYPES_OF = 3;

  /** The most objects that the catalogue lists; it does not list objects that are entered later. */
  private static final int MOST_KNOWN = 1 << 20;

  private ArrayList<TreeSet<String>> kinds = new ArrayList<>(); // the types of an object
  private TreeMap<StreamId, Known> objects = new TreeMap<>();

  /**
   * An object.
   *
   * @param kind the index of its types in the list of kinds
   */
  record Known(String name, int kind) {}

  private void enter(StreamId object, String name, String type) {
    @Nullable Known before = objects.get(object);
    if (before == null && objects.size() >= MOST_KNOWN) {
      return;
    }
    TreeSet<String> types = new TreeSet<>(before == null ? List.of() : kinds.get(before.kind()));
    types.add(type);
    int kind = kinds.indexOf(types);
    if (kind < 0) {
      kind = kinds.size();
      kinds.add(types);
    }
    objects.put(object, new Known(before == null ? name : before.name(), kind));
  }

  private boolean isKnown(StreamId object, String type) {
    @Nullable Known known = objects.get(object);
    return known != null && kinds.get(known.kind()).contains(type);
  }

  private List<String> typesOf(StreamId object) {
    @Nullable Known known = objects.get(object);
    return known == null ? List.of() : List.copyOf(kinds.get(known.kind()));
  }

  private List<CatalogueEntry> list() {
    List<CatalogueEntry> all = new ArrayList<>(objects.size());
    objects.forEach(
        (id, known) -> all.add(new CatalogueEntry(id, known.name(), kinds.get(known.kind()))));
    all.sort(Comparator.comparing(CatalogueEntry::name).thenComparing(CatalogueEntry::id));
    return all;
  }

  /** Only the catalogue calls this type; in the log, its changes are records of their own. */
  private static final class CatalogueType implements ObjectType<CatalogueState> {

    @Override
    public String name() {
      return "corfu.objects/catalogue";
    }

    @Override
    public List<Operation> operations() {
      return List.of(
          new Operation("enter", Kind.MUTATOR),
          new Operation("isKnown", Kind.ACCESSOR),
          new Operation("list", Kind.ACCESSOR),
          new Operation("typesOf", Kind.ACCESSOR));
    }

    @Override
    public Collection<Type> valueTypes() {
      return List.of(CatalogueState.class, CatalogueEntry.class);
    }

    @Override
    public CatalogueState create() {
      return new CatalogueState();
    }

    @Override
    public @Nullable Object apply(
        CatalogueState state, int operation, @Nullable Object[] arguments) {
      return switch (operation) {
        case ENTER -> {
          state.enter((StreamId) of(arguments, 0), text(arguments, 1), text(arguments, 2));
          yield null;
        }
        case IS_KNOWN -> state.isKnown((StreamId) of(arguments, 0), text(arguments, 1));
        case LIST -> state.list();
        case TYPES_OF -> state.typesOf((StreamId) of(arguments, 0));
        default -> throw new IllegalArgumentException("no operation is at " + operation);
      };
    }

    private static Object of(@Nullable Object[] arguments, int place) {
      return Objects.requireNonNull(arguments[place]);
    }

    private static String text(@Nullable Object[] arguments, int place) {
      return (String) of(arguments, place);
    }

    @Override
    public CatalogueState replica(Invoker invoker) {
      throw new UnsupportedOperationException("the catalogue is no object that can be opened");
    }
  }
}
