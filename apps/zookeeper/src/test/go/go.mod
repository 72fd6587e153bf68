module corfu/zookeeper/client

go 1.20

require github.com/go-zookeeper/zk v1.0.4
