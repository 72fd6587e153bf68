package corfu.peers.load;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** A load whose database reports success for each call, or failure if its argument is "fails". */
public final class FakeYcsb {

  private FakeYcsb() {}

  public static void main(String[] arguments) throws Exception {
    Status status = List.of(arguments).contains("fails") ? Status.ERROR : Status.OK;
    YcsbDriver.serve(
        () -> {
          System.out.println("a library that greets everybody");
          return () -> new Nothing(status);
        },
        new Properties());
  }

  private static final class Nothing extends DB {

    private final Status status;

    Nothing(Status status) {
      this.status = status;
    }

    @Override
    public Status read(
        String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
      return status;
    }

    @Override
    @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's signature
    public Status scan(
        String table,
        String startKey,
        int count,
        @Nullable Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return status;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return status;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      return status;
    }

    @Override
    public Status delete(String table, String key) {
      return status;
    }
  }
}
