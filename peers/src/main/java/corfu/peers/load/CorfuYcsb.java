package corfu.peers.load;

import corfu.ycsb.CorfuClient;
import java.util.Properties;

/** YCSB on our store, as any user of its stock client would run it. */
public final class CorfuYcsb {

  private CorfuYcsb() {}

  /** The arguments are where the servers listen. */
  public static void main(String[] servers) throws Exception {
    Properties properties = new Properties();
    properties.setProperty(CorfuClient.SERVERS, String.join(",", servers));
    YcsbDriver.serve(() -> CorfuClient::new, properties);
  }
}
